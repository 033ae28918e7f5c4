import { allAnswer, allSay, type Check, expectStatus, refused } from '../check.ts'
import { fresh } from '../fresh.ts'
import { invite } from '../people.ts'
import type { World } from '../world.ts'

/** Calls by which somebody might reach the device of another company. */
const reaches = ({ device }: World) => [
  { method: 'GET', path: `/devices/${device.id}` },
  { method: 'PATCH', path: `/devices/${device.id}`, body: { name: 'Taken' } },
  { method: 'GET', path: `/devices/${device.id}/life` },
  { method: 'GET', path: `/devices/${device.id}/limits` },
  { method: 'PUT', path: `/devices/${device.id}/decommission`, body: {} },
  { method: 'GET', path: `/devices/${device.id}/flight-schedule` },
]

/** A device of the first company that only Admins may see. */
async function hidden({ need, admin, device }: World, isHidden: boolean) {
  const body = { visibility: isHidden ? 'private' : 'public' }
  await need({ method: 'PATCH', path: `/devices/${device.id}`, token: admin.token, body })
}

/** V8: authorization. */
export const authorization: Check[] = [
  {
    id: '8.2.1',
    says: 'A role gets 403 for what it lacks, and nothing happens',
    async fault({ ask, staff, manager }) {
      for (const [person, asked] of [
        [staff, { method: 'POST', path: '/users', body: { fullname: 'Bo', email: fresh('by-staff'), role: 'admin' } }],
        [manager, { method: 'GET', path: '/audit-log/verify' }],
        [staff, { method: 'GET', path: '/users/export' }],
      ] as const) {
        const fault = expectStatus(await ask({ ...asked, token: person.token }), 403)
        if (fault) return `${asked.method} ${asked.path}: ${fault}`
      }
      return null
    },
    spoiled: allAnswer(200),
  },
  {
    id: '8.2.2',
    says: 'Another company’s device is a 404, as one that is not there',
    async fault(world) {
      const none = await world.ask({ method: 'GET', path: '/devices/999999', token: world.stranger.token })
      for (const asked of reaches(world)) {
        const answer = await world.ask({ ...asked, token: world.stranger.token })
        if (answer.status !== 404 || answer.text !== none.text) return `${asked.method} ${asked.path}: ${answer.text}`
      }
      return null
    },
    spoiled: { answer: (_, { path }) => ({ status: 200, text: path }) },
  },
  {
    id: '8.2.2',
    says: 'Lists, exports and searches of another company show none of its devices',
    async fault({ ask, stranger, device }) {
      for (const path of ['/devices', '/devices/export', `/devices?search=${device.imei}`, '/audit-log', '/users']) {
        const { text } = await ask({ method: 'GET', path, token: stranger.token })
        if (text.includes(device.imei) || text.includes('admin@asvs.test')) return `${path} shows it`
      }
      return null
    },
    spoiled: allSay('admin@asvs.test'),
  },
  {
    id: '8.2.3',
    says: 'A private device is a 404 for a Manager, as one that is not there',
    async fault(world) {
      await hidden(world, true)
      try {
        const path = `/devices/${world.device.id}`
        const answer = await world.ask({ method: 'GET', path, token: world.manager.token })
        return expectStatus(answer, 404)
      } finally {
        await hidden(world, false)
      }
    },
    spoiled: allAnswer(200),
  },
  {
    id: '8.2.3',
    says: 'A refusal does not name a private device: two records of one name',
    async fault(world) {
      const { need, ask, admin, manager, device } = world
      const name = `Lot ${Date.now()}`
      const group = await need({
        method: 'POST',
        path: '/groups',
        token: admin.token,
        body: { name, deviceIds: [device.id] },
      })
      const path = `/grouprecords/${group.id}`
      const startAt = new Date(Date.now() - 60_000).toISOString()
      await need({ method: 'POST', path, token: admin.token, body: { name, startAt } })
      await hidden(world, true)
      try {
        const answer = await ask({ method: 'POST', path, token: manager.token, body: { name, startAt } })
        return answer.text.includes('Fridge') ? `it says ${answer.text}` : null
      } finally {
        await hidden(world, false)
      }
    },
    spoiled: allSay('Fridge is in the record already'),
  },
  {
    id: '8.3.1',
    says: 'A role cannot be chosen by the caller',
    async fault({ ask, staff }) {
      const body = { role: 'admin', roleModulePermissions: {} }
      return expectStatus(await ask({ method: 'PATCH', path: '/auth/user/profile', token: staff.token, body }), 422)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '8.3.2',
    says: 'A role that was narrowed counts from the next call on',
    async fault({ ask, need, admin, instance }) {
      const person = await invite(instance, admin, 'manager', fresh('narrowed'))
      const token = admin.token
      await need({ method: 'PATCH', path: `/users/${person.id}`, token, body: { role: 'staff' } })
      return expectStatus(await ask({ method: 'GET', path: '/users', token: person.token }), 401, 403)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '8.4.1',
    says: 'Another company gets no probe of our hardware',
    async fault({ ask, instance, stranger, device }) {
      const keys = await instance.provider('licences', 'issue', '--devices', '1', '--months', '12', '--count', '1')
      const licenceKey = /^[A-Z0-9-]{12,}$/m.exec(keys)?.[0]
      const answer = await ask({
        method: 'POST',
        path: '/devices/setup',
        token: stranger.token,
        body: { imei: device.imei, probe: 2, name: 'Theirs', licenceKey, claimCode: '00000000000' },
      })
      return expectStatus(answer, 400, 422)
    },
    spoiled: allAnswer(200),
  },
  refused('8.4.1', 'A tracker speaks for itself only: the wrong secret is a 401', 401, ({ device }) => ({
    method: 'POST',
    path: `/ingest/${device.imei}`,
    token: 'not-the-secret',
    body: { temperatureC: 4 },
  })),
]
