import { allAnswer, allSay, type Check, expectStatus, refused } from '../check.ts'
import { fresh } from '../fresh.ts'
import { signUp } from '../people.ts'

/** V2: validation and business logic. */
export const validation: Check[] = [
  {
    id: '2.2.1',
    says: 'A field that is not in the schema is refused by name',
    async fault({ ask, admin }) {
      const answer = await ask({
        method: 'PATCH',
        path: '/auth/user/profile',
        token: admin.token,
        body: { companyId: '2' },
      })
      return expectStatus(answer, 422) ?? (answer.text.includes('companyId') ? null : 'the answer does not name it')
    },
    spoiled: allSay('{}', 422),
  },
  refused('2.2.2', 'The server refuses a value outside its list, whatever a browser allows', 422, ({ admin }) => ({
    method: 'POST',
    path: '/users',
    token: admin.token,
    body: { fullname: 'Ann', email: fresh('role'), role: 'owner' },
  })),
  refused(
    '2.2.3',
    'Fields that contradict each other are refused: a record that ends before it begins',
    422,
    ({ admin, device }) => ({
      method: 'POST',
      path: '/enterprise/record',
      token: admin.token,
      body: {
        name: 'Backwards',
        deviceIds: [device.id],
        startAt: '2026-01-02T00:00:00Z',
        endAt: '2026-01-01T00:00:00Z',
      },
    }),
  ),
  {
    id: '2.3.3',
    says: 'A file with one bad row changes nothing',
    async fault({ ask, need, admin, device }) {
      const csv = `imei,name\n${device.imei},Renamed by half a file\n490154203237519,Unknown\n`
      await ask({ method: 'POST', path: '/devices/setup/bulk', token: admin.token, body: { csv } })
      const answer = await ask({ method: 'GET', path: `/devices/${device.id}`, token: admin.token })
      await need({ method: 'GET', path: `/devices/${device.id}`, token: admin.token })
      return answer.text.includes('Renamed by half a file') ? 'the good row was taken alone' : null
    },
    spoiled: allSay('{"name":"Renamed by half a file"}'),
  },
  {
    id: '2.3.4',
    says: 'Of two who use one invitation at once, one succeeds',
    async fault({ ask, need, admin, instance }) {
      const email = fresh('twice')
      await need({ method: 'POST', path: '/users', token: admin.token, body: { fullname: 'Bo', email, role: 'staff' } })
      const token = await instance.mailedToken(email, 'usersetup')
      const tries = ['first good passphrase', 'second good passphrase'].map((password) =>
        ask({ method: 'POST', path: '/users/setup', body: { token, password } }),
      )
      const won = (await Promise.all(tries)).filter(({ status }) => status === 200).length
      return won === 1 ? null : `${won} succeeded`
    },
    spoiled: allAnswer(200),
  },
  {
    id: '2.4.1',
    says: 'Somebody logged in who exports without pause is slowed down',
    async fault({ ask, instance }) {
      const { token } = await signUp(instance, 'Busy Stores', fresh('busy'))
      for (let batch = 0; batch < 20; batch++) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => ask({ method: 'GET', path: '/devices/export', token })),
        )
        const slowed = answers.find(({ status }) => status === 429)
        if (slowed) return slowed.headers['retry-after'] ? null : 'no Retry-After'
      }
      return '400 exports by one session, no 429'
    },
    spoiled: allAnswer(200),
  },
]
