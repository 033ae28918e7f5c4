import { expect, test } from 'vitest'
import { aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const list = async (user: TestUser, query: Record<string, string> = {}) =>
  (await t.call('GET', '/alarm-triggers', { token: user.token, query: { sort: 'urgency', ...query } })).body.payload
    .data
const resolveOver = (user: TestUser, body: object = {}) =>
  t.call('PATCH', '/alarm-triggers/over', { token: user.token, body: { note: 'Seen in the morning', ...body } })

test('the device that needs somebody most comes first, all its triggers together, on every page', async () => {
  const admin = await buildUser(t)
  const [calm, busy, known] = [await aDevice(t, admin), await aDevice(t, admin), await aDevice(t, admin)]
  const of = async (device: { id: number }, spec: object) =>
    (await aTrigger(t, admin, { deviceId: device.id, ...spec })).id
  const over = await of(calm, { openedAgo: 5, normalAgo: 2 })
  const critical = await of(busy, { openedAgo: 90, severity: 'critical' })
  const acknowledged = await of(known, { openedAgo: 3 })
  const overToo = await of(busy, { openedAgo: 400, normalAgo: 300 })
  const warning = await of(busy, { openedAgo: 80 })
  await t.call('PATCH', `/alarm-triggers/${acknowledged}/acknowledge`, { token: admin.token, body: {} })
  const wanted = [critical, warning, overToo, acknowledged, over]
  expect((await list(admin)).map(({ id }: { id: string }) => id)).toEqual(wanted)
  const pages = [await list(admin, { perPage: '2' }), await list(admin, { perPage: '2', page: '2' })].flat()
  expect(pages.map(({ id }) => id)).toEqual(wanted.slice(0, 4))
})

test('all that are over are resolved by one call, with an entry for each; what is open stays so', async () => {
  const admin = await buildUser(t)
  const { id: open } = await aTrigger(t, admin)
  const over = [await aTrigger(t, admin, { normalAgo: 3 }), await aTrigger(t, admin, { normalAgo: 2 })]
  expect((await resolveOver(admin)).body.payload).toEqual({ changed: 2, left: 0 })
  const states = (await list(admin, { states: 'open,normal,resolved' })) as {
    id: string
    state: string
    note: string
  }[]
  expect(states.map(({ id, state }) => [id, state]).sort()).toEqual(
    [[open, 'open'], ...over.map(({ id }) => [id, 'resolved'])].sort(),
  )
  expect(states.find(({ state }) => state === 'resolved')?.note).toBe('Seen in the morning')
  const entries = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'alarms.triggerResolved')
  expect(entries.map(({ target, reason }) => [target?.id, reason]).sort()).toEqual(
    over.map(({ id }) => [id, 'Seen in the morning']).sort(),
  )
})

test('of two clicks at once one resolves each trigger, and none is written twice', async () => {
  const admin = await buildUser(t)
  for (let count = 0; count < 3; count++) await aTrigger(t, admin, { normalAgo: 3 })
  const answers = await Promise.all([resolveOver(admin), resolveOver(admin)])
  expect(answers.reduce((sum, { body }) => sum + body.payload.changed, 0)).toBe(3)
  const entries = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'alarms.triggerResolved')
  expect(entries).toHaveLength(3)
})

test('only what the filters leave is resolved, of what the person may see; a note is needed', async () => {
  const admin = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const [shown, hidden] = [await aTrigger(t, admin, { normalAgo: 3 }), await aTrigger(t, admin, { normalAgo: 3 })]
  const critical = await aTrigger(t, admin, { normalAgo: 3, severity: 'critical' })
  await t.change(admin.companyId, `update devices set visibility = 'private' where company_id = $1 and id = $2`, [
    admin.companyId,
    hidden.deviceId,
  ])
  expect((await resolveOver(manager, { note: '' })).status).toBe(422)
  expect((await resolveOver(manager, { severity: 'warning' })).body.payload).toEqual({ changed: 1, left: 0 })
  const left = (await list(admin)) as { id: string }[]
  expect(left.map(({ id }) => id).sort()).toEqual([hidden.id, critical.id].sort())
  expect(left.map(({ id }) => id)).not.toContain(shown.id)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  expect((await resolveOver(staff)).status).toBe(403)
})
