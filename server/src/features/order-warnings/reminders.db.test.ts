import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { quietNow } from '../../../test/quiet-now.ts'
import { tellAll } from '../../../test/told.ts'
import { estimateArrivals, watchOrderGoods } from '../order-tracking/jobs.ts'

const t = describeApp()
const minute = 60_000
const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * minute)

let admin: TestUser
let staff: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  staff = await buildUser(t, { company: admin, role: 'staff' })
})

const change = async (body: object) => {
  const { currencyInUse: _, recipients: _r, escalation: _e, ...kept } = await settings()
  return t.call('PUT', '/dispatch/settings', { token: admin.token, body: { ...kept, ...body } })
}
const settings = async () => (await t.call('GET', '/dispatch/settings', { token: admin.token })).body.payload
const tellStaff = (reminderMinutes: number | null) =>
  change({ reminderMinutes, recipients: { late: [{ userId: staff.id, channels: ['mail'] }], outOfRange: [] } })

async function lateOrder() {
  const order = await anOrder(t, {
    companyId: admin.companyId,
    more: { state: 'inProgress', started_at: at(-20), left_pickup_at: at(-20), deliver_by: at(-60) },
  })
  await estimateArrivals.run(t.services, {})
  return order
}
/** Runs the job after some minutes, twice at once; the mails that somebody gets meanwhile. */
async function mailsAfter(minutes: number, user = staff): Promise<number> {
  t.clock.advance(minutes * minute)
  await Promise.all([watchOrderGoods.run(t.services, {}), watchOrderGoods.run(t.services, {})])
  return (await tellAll(t)).filter(({ channel, userId }) => channel === 'mail' && userId === user.id).length
}

test('a warning is told again every so many minutes until somebody acknowledges it; once after a long stop', async () => {
  const stranger = await buildUser(t)
  await tellStaff(30)
  const order = await lateOrder()
  expect(await mailsAfter(29)).toBe(1)
  expect(await mailsAfter(1)).toBe(1)
  expect(await mailsAfter(29)).toBe(0)
  expect(await mailsAfter(600)).toBe(1)
  expect(await mailsAfter(29)).toBe(0)
  expect(await mailsAfter(1)).toBe(1)
  expect(await mailsAfter(0, stranger)).toBe(0)
  const [warning] = (await t.call('GET', `/dispatch/orders/${order.id}/warnings`, { token: staff.token })).body.payload
  await t.call('PATCH', `/dispatch/warnings/${warning.id}/acknowledge`, { token: staff.token, body: {} })
  expect(await mailsAfter(90)).toBe(0)
})

test('a warning that is acknowledged before the reminder goes out is not told again', async () => {
  await tellStaff(30)
  const order = await lateOrder()
  expect(await mailsAfter(1)).toBe(1)
  t.clock.advance(30 * minute)
  await watchOrderGoods.run(t.services, {})
  const [warning] = (await t.call('GET', `/dispatch/orders/${order.id}/warnings`, { token: staff.token })).body.payload
  await t.call('PATCH', `/dispatch/warnings/${warning.id}/acknowledge`, { token: admin.token, body: {} })
  expect(await mailsAfter(0)).toBe(0)
})

test('nothing is told again where the company does not want it, and in quiet hours', async () => {
  await tellStaff(null)
  await lateOrder()
  expect(await mailsAfter(600)).toBe(1)
  await tellStaff(5)
  const { quiet_from, quiet_to } = quietNow(t.clock)
  await t.change(
    admin.companyId,
    'insert into notification_settings (company_id, user_id, quiet_from, quiet_to, updated_at) values ($1, $2, $3, $4, now())',
    [admin.companyId, staff.id, quiet_from, quiet_to],
  )
  const lines = async () =>
    (await t.call('GET', '/enterprise/notifications', { token: staff.token, query: { kind: 'orderLate' } })).body
      .payload.data.length
  const before = await lines()
  expect([before, await mailsAfter(6), await lines()]).toEqual([1, 0, 1])
})

test('settings that are saved without the minutes leave them; too few are refused', async () => {
  await tellStaff(45)
  const { reminderMinutes: _, currencyInUse: _c, recipients: _r, escalation: _e, ...older } = await settings()
  await t.call('PUT', '/dispatch/settings', { token: admin.token, body: older })
  expect((await settings()).reminderMinutes).toBe(45)
  for (const reminderMinutes of [4, 1441, 7.5, '30']) expect((await change({ reminderMinutes })).status).toBe(422)
  expect((await change({ reminderMinutes: null })).body.payload.reminderMinutes).toBe(null)
})
