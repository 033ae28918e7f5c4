import type { DispatchWarning } from '@isotherm/contract/order-warnings.ts'
import { beforeEach, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { tellAll } from '../../../test/told.ts'
import { trailOf } from '../../../test/trail.ts'
import { addUnits } from '../../core/wallet/wallet-queries.ts'
import { sendUnpaid } from '../../pipeline/notify/send-unpaid.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { estimateArrivals, watchOrderGoods } from '../order-tracking/jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const minute = 60_000
const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * minute)

let admin: TestUser
let staff: TestUser
beforeEach(async () => {
  admin = await buildUser(t, { fullname: 'Ada Obi' })
  staff = await buildUser(t, { company: admin, role: 'staff', phone: '+2348000000000' })
})

const estimate = () => estimateArrivals.run(t.services, {})
const watch = () => watchOrderGoods.run(t.services, {})
const underWay = (deliverBy: number, deviceIds: number[] = []) =>
  anOrder(t, {
    companyId: admin.companyId,
    deviceIds,
    receivers: [{ name: 'Mercy Hospital' }],
    more: { state: 'inProgress', started_at: at(-20), left_pickup_at: at(-20), deliver_by: at(deliverBy) },
  })
const lasting = async ({ token }: TestUser) =>
  (await t.call('GET', '/dispatch/warnings', { token })).body.payload as { data: DispatchWarning[]; open: number }
const ofOrder = async (id: string, { token }: TestUser = admin) =>
  (await t.call('GET', `/dispatch/orders/${id}/warnings`, { token })).body.payload as DispatchWarning[]
const acknowledge = ({ token }: TestUser, id: string | undefined, body: object = {}) =>
  t.call('PATCH', `/dispatch/warnings/${id}/acknowledge`, { token, body })
const tellsStaff = async (channels: string[]) => {
  const {
    currencyInUse: _,
    recipients: _r,
    escalation: _e,
    ...settings
  } = (await t.call('GET', '/dispatch/settings', { token: admin.token })).body.payload
  const recipients = { late: [{ userId: staff.id, channels }], outOfRange: [] }
  await t.call('PUT', '/dispatch/settings', { token: admin.token, body: { ...settings, recipients } })
}

test('a late stop is open until somebody acknowledges it, once, and over when it is in time again', async () => {
  const stranger = await buildUser(t)
  expect(await lasting(admin)).toMatchObject({ data: [], open: 0 })
  const order = await underWay(-60)
  await estimate()
  const [warning] = await ofOrder(order.id)
  expect(warning).toMatchObject({
    ...{ orderId: order.id, kind: 'late', state: 'open', receiver: { name: 'Mercy Hospital' }, device: null },
    ...{ due: at(-60).toISOString(), acknowledgedBy: null, canAcknowledge: true },
  })
  expect(await lasting(staff)).toMatchObject({ data: [{ id: warning?.id, canAcknowledge: false }], open: 1 })
  expect((await acknowledge(stranger, warning?.id)).status).toBe(404)
  expect(await lasting(stranger)).toMatchObject({ data: [] })
  expect((await acknowledge(staff, warning?.id)).body.code).toBe('NOT_TOLD')
  expect((await acknowledge(admin, warning?.id, { note: 'x'.repeat(501) })).status).toBe(422)
  expect((await acknowledge(admin, warning?.id, { who: 'me' })).status).toBe(422)
  const answers = await Promise.all([
    acknowledge(admin, warning?.id, { note: 'Called the driver' }),
    acknowledge(admin, warning?.id, { note: 'Called the driver' }),
  ])
  for (const { body } of answers)
    expect(body.payload).toMatchObject({ state: 'acknowledged', acknowledgedBy: 'Ada Obi', note: 'Called the driver' })
  expect(await lasting(admin)).toMatchObject({ data: [{ state: 'acknowledged' }], open: 0 })
  const entries = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'orders.warningAcknowledged')
  expect(entries).toHaveLength(1)
  const { body } = await t.call('GET', `/dispatch/orders/${order.id}/events`, { token: staff.token })
  expect(body.payload).toContainEqual(
    expect.objectContaining({ kind: 'warningAcknowledged', by: 'Ada Obi', source: 'person' }),
  )
  await t.change(admin.companyId, 'update orders set deliver_by = $2 where id = $1', [order.id, at(6_000)])
  await estimate()
  expect(await ofOrder(order.id)).toMatchObject([{ state: 'over', overAt: null, acknowledgedBy: 'Ada Obi' }])
  await watch()
  expect(await ofOrder(order.id)).toMatchObject([{ state: 'over', overAt: at(0).toISOString() }])
  expect(await lasting(admin)).toMatchObject({ data: [] })
})

test('one of those whom the company chose acknowledges, too; what is over stays as it is', async () => {
  await tellsStaff(['app'])
  const order = await underWay(-60)
  await estimate()
  const [warning] = await ofOrder(order.id, staff)
  expect(warning?.canAcknowledge).toBe(true)
  await t.change(admin.companyId, `update orders set state = 'completed', ended_at = $2 where id = $1`, [
    order.id,
    at(0),
  ])
  expect((await acknowledge(staff, warning?.id)).body.payload).toMatchObject({ state: 'over', acknowledgedAt: null })
  expect((await ofOrder(order.id))[0]?.canAcknowledge).toBe(false)
})

test('goods out of range are a warning, too; that of a private device is for Admins', async () => {
  const box = await aDevice(t, { companyId: admin.companyId, visibility: 'private', limits: { temperatureMaxC: 8 } })
  const order = await underWay(600, [box.id])
  await pipeline.send(box, [{ at: at(0), temperatureC: 9.4 }])
  await Promise.all([watch(), watch()])
  const [warning, ...others] = await ofOrder(order.id)
  expect(others).toEqual([])
  expect(warning).toMatchObject({
    ...{ kind: 'outOfRange', state: 'open', device: { id: String(box.id) }, measure: 'temperature', side: 'above' },
  })
  expect(await ofOrder(order.id, staff)).toEqual([])
  expect((await acknowledge(staff, warning?.id)).status).toBe(404)
  expect((await acknowledge(admin, warning?.id)).body.payload.state).toBe('acknowledged')
  t.clock.advance(5 * minute)
  await pipeline.send(box, [{ at: at(0), temperatureC: 5 }])
  await watch()
  expect((await ofOrder(order.id))[0]).toMatchObject({ state: 'over', overAt: at(0).toISOString() })
})

test('a message of a late order that found no units goes out after a top-up, once, while nobody acknowledged it', async () => {
  await tellsStaff(['sms'])
  const tools = () => ({
    ...{ pool: t.pool, bus: t.services.bus, log: t.services.log, now: () => t.clock.now() },
    ...{ nearestTownName: () => 'Lagos', publicUrl: 'https://cold.test' },
  })
  const fill = () =>
    asPipeline(t.pool, ({ client }) =>
      addUnits(
        client,
        { companyId: admin.companyId, channel: 'sms' },
        5,
        { kind: 'granted', reference: null },
        t.clock.now(),
      ),
    )
  const sms = async () =>
    (await tellAll(t)).filter(({ channel, userId }) => channel === 'sms' && userId === staff.id).length
  const order = await underWay(-60)
  await estimate()
  expect(await sms()).toBe(0)
  t.clock.advance(20 * minute)
  await fill()
  expect((await Promise.all([sendUnpaid(tools()), sendUnpaid(tools())])).toSorted()).toEqual([0, 1])
  expect(await sms()).toBe(1)
  await fill()
  expect(await sendUnpaid(tools())).toBe(0)
  // Empty again, and another order: somebody acknowledges it before units come in.
  await t.change(admin.companyId, `update wallets set balance = 0 where company_id = $1 and kind = 'sms'`, [
    admin.companyId,
  ])
  const second = await underWay(-60)
  await estimate()
  expect(await sms()).toBe(0)
  await acknowledge(admin, (await ofOrder(second.id))[0]?.id)
  await fill()
  expect(await sendUnpaid(tools())).toBe(0)
  expect((await ofOrder(order.id))[0]?.state).toBe('open')
})
