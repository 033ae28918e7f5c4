import type { Notification } from '@isotherm/contract/notifications.ts'
import type { Eta } from '@isotherm/contract/orders.ts'
import { describe, expect, test } from 'vitest'
import { changing } from '../../../test/changed.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aVehicle } from '../../../test/dispatch-factory.ts'
import { buildUser, only, setMatrix } from '../../../test/factories.ts'
import { anOrder, apapa, ikeja, type MadeOrder } from '../../../test/order-factory.ts'
import { tellAll } from '../../../test/told.ts'
import { noteArrival, noteDeparture } from '../../core/orders/legs.ts'
import { findOrder, receiversOf } from '../../core/orders/order-queries.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { estimateArrivals } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * minute)
const started = (minutes: number) => ({ state: 'inProgress', started_at: at(-minutes), left_pickup_at: at(-minutes) })
const run = () => estimateArrivals.run(t.services, {})

/** A van between Ikeja and Apapa on an order to two stops, the second one in Ikeja. */
async function underWay(more: object = {}, device: object = {}) {
  const admin = await buildUser(t)
  const { companyId } = admin
  const van = await aDevice(t, { companyId, intervalS: 300, ...device })
  const receivers = [{}, ikeja]
  const order = await anOrder(t, {
    companyId,
    deviceIds: [van.id],
    role: 'vehicle',
    receivers,
    more: { ...started(20), ...more },
  })
  const move = (lat: number, minutes = 0) => pipeline.send(van, [{ at: at(minutes), temperatureC: 5, lat, lon: 3.355 }])
  return { admin, companyId, van, order, move }
}

const etasOf = async ({ company_id: companyId, id }: MadeOrder) =>
  (await inTenant(t.pool, companyId, ({ tx }) => receiversOf({ tx, companyId }, [id]))).map(
    ({ eta }) => eta as Eta | null,
  )
const eventsOf = ({ id }: MadeOrder) =>
  t.rows('select kind, receiver_id, detail from order_events where order_id = $1', [id])
const change = (order: MadeOrder, index: number, set: string, value: unknown) =>
  t.change(order.company_id, `update order_receivers set ${set} = $1 where id = $2`, [
    value,
    order.receivers[index]?.id,
  ])
const lineOf = async ({ token }: { token: string }) => {
  const { body } = await t.call('GET', '/enterprise/notifications', { token, query: { kind: 'orderLate' } })
  return body.payload.data as Notification[]
}

test('arrivals are estimated from the position, one stop after the other, by a usual speed where nothing is learned', async () => {
  const { order, move } = await underWay()
  await move(6.5)
  await run()
  const [first, second] = await etasOf(order)
  expect(first).toMatchObject({
    basis: 'default',
    legs: 0,
    positionAgeS: 0,
    isFrozen: false,
    asOf: at(0).toISOString(),
  })
  expect([first?.from, first?.at, first?.to]).toEqual([first?.from, first?.at, first?.to].toSorted())
  // 5.7 km.
  const minutes = (eta: Eta | null | undefined) => (Date.parse(eta?.at ?? '') - t.clock.now().getTime()) / minute
  expect(minutes(first)).toBeGreaterThan(10)
  expect(minutes(first)).toBeLessThan(16)
  expect(minutes(second)).toBeGreaterThan(minutes(first) + 40)
})

test('without a device it rests on the time that it left', async () => {
  const admin = await buildUser(t)
  const order = await anOrder(t, { companyId: admin.companyId, more: started(20) })
  await run()
  expect((await etasOf(order))[0]).toMatchObject({ positionAgeS: null, isFrozen: false })
})

describe('orders of one vehicle', () => {
  /** A van on two orders, each to one stop; the second is due first. */
  async function twoOrders(device: object = {}, more: object = {}) {
    const { companyId, admin, van, order: first, move } = await underWay({}, device)
    const { id: vehicleId } = await aVehicle(t, { companyId })
    const second = await anOrder(t, {
      companyId,
      vehicleId,
      more: { ...started(20), deliver_by: at(60), ...more },
    })
    await t.change(companyId, 'update orders set vehicle_id = $2 where id = $1', [first.id, vehicleId])
    return { companyId, admin, van, first, second, move }
  }
  const minutesOf = async (order: MadeOrder, index = 0) =>
    (Date.parse((await etasOf(order))[index]?.at ?? '') - t.clock.now().getTime()) / minute

  test('are estimated together: what is due first is served first, and a stop waits for those before it', async () => {
    const { first, second, move, companyId } = await twoOrders()
    await move(6.5)
    await run()
    // Both go to Apapa, and a stop takes a quarter of an hour.
    expect(await minutesOf(second)).toBeLessThan(16)
    expect(await minutesOf(first)).toBeGreaterThan((await minutesOf(second)) + 14)
    await t.change(companyId, 'update orders set deliver_by = $2 where id = $1', [second.id, at(6_000)])
    await run()
    expect(await minutesOf(first)).toBeLessThan(16)
    expect(await minutesOf(second)).toBeGreaterThan((await minutesOf(first, 1)) + 14)
  })

  test('know where the vehicle is by a public device of any of them, and by the stops of all', async () => {
    const { first, second, move } = await twoOrders()
    await move(6.45)
    await run()
    expect((await etasOf(second))[0]).toMatchObject({ positionAgeS: 0, isFrozen: false })
    await t.change(first.company_id, `update order_receivers set state = 'arrived', arrived_at = $2 where id = $1`, [
      ...[first.receivers[0]?.id, at(0)],
    ])
    await run()
    expect((await etasOf(first))[0]).toBeNull()
    expect(await minutesOf(second)).toBeGreaterThan(10)
  })

  test('tell nothing of a private device of another one', async () => {
    const { first, second, move, companyId } = await twoOrders({ visibility: 'private' })
    await t.change(companyId, 'update orders set shows_private = true where id = $1', [first.id])
    await move(6.45)
    await run()
    expect((await etasOf(first))[0]?.positionAgeS).toBe(0)
    expect((await etasOf(second))[0]?.positionAgeS).toBeNull()
  })
})

test('legs that are over teach it', async () => {
  const { companyId, order, move } = await underWay()
  const past = await anOrder(t, { companyId, receivers: Array.from({ length: 9 }, () => ({})), more: started(600) })
  await changing(t.pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const row = await findOrder(ctx, past.id)
    for (const [index, receiver] of past.receivers.entries()) {
      await noteArrival(ctx, row, receiver, at(-560 + index))
      await noteDeparture(ctx, row, receiver, at(-550 + index))
    }
  })
  const legs = await t.rows(
    'select distance_m, service_s, extract(epoch from arrived_at - departed_at)::int as s from order_legs',
  )
  expect(legs).toHaveLength(9)
  expect(legs[0]).toEqual({ distance_m: 17023, service_s: 600, s: 2400 })
  await move(6.5)
  await run()
  expect((await etasOf(order))[0]).toMatchObject({ basis: 'history', legs: 9 })
})

test('an estimate whose position is old stands still, and says so', async () => {
  const { order, move } = await underWay()
  await move(6.5)
  await run()
  const [before] = await etasOf(order)
  t.clock.advance(20 * minute)
  await run()
  const [after] = await etasOf(order)
  expect(after).toEqual({ ...before, isFrozen: true, positionAgeS: 1200, asOf: at(0).toISOString() })
  await move(6.48)
  await run()
  expect((await etasOf(order))[0]).toMatchObject({ isFrozen: false, positionAgeS: 0 })
})

test('only what changed is written', async () => {
  const { order, move } = await underWay()
  await move(6.5)
  await run()
  const versions = () => t.rows('select xmin from order_receivers where order_id = $1 order by id', [order.id])
  const before = await versions()
  t.clock.advance(minute)
  await run()
  expect(await versions()).toEqual(before)
  t.clock.advance(5 * minute)
  await run()
  expect(await versions()).not.toEqual(before)
})

test('who is snoozed, reached or served has no estimate, and the next one is reached without them', async () => {
  const { order, move } = await underWay()
  await move(6.5)
  await run()
  const [, far] = await etasOf(order)
  await change(order, 0, 'snoozed_until', at(600))
  await run()
  const [none, near] = await etasOf(order)
  expect(none).toBeNull()
  expect(Date.parse(near?.at ?? '')).toBeLessThan(Date.parse(far?.at ?? ''))
  await change(order, 0, 'snoozed_until', null)
  await t.change(order.company_id, `update order_receivers set state = 'arrived', arrived_at = $1 where id = $2`, [
    ...[at(0), order.receivers[0]?.id],
  ])
  await run()
  expect((await etasOf(order))[0]).toBeNull()
})

test('a private device counts only where the order shows it to everybody', async () => {
  const { order, move } = await underWay({}, { visibility: 'private' })
  await move(6.45)
  await run()
  expect((await etasOf(order))[0]?.positionAgeS).toBeNull()
  await t.change(order.company_id, 'update orders set shows_private = true')
  t.clock.advance(minute)
  await run()
  expect((await etasOf(order))[0]?.positionAgeS).toBe(60)
})

test('everybody who may view dispatch hears once that an order is late, and so does the address of the company', async () => {
  const { admin, companyId, order, move } = await underWay({ deliver_by: at(25) })
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  await setMatrix(t, companyId, 'manager', only('devices.view'))
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  await t.change(
    companyId,
    `insert into dispatch_settings (company_id, late_mail, updated_at) values ($1, 'late@x.test', now())`,
    [companyId],
  )
  await move(6.5)
  await run()
  await run()
  await tellAll(t)
  const [, second] = order.receivers
  expect(await eventsOf(order)).toMatchObject([
    { kind: 'late', receiver_id: second?.id, detail: { due: at(25).toISOString() } },
  ])
  for (const reader of [admin, staff]) {
    const lines = await lineOf(reader)
    expect(lines).toMatchObject([{ severity: 'warning', orderId: order.id, readAt: null }])
    expect(lines[0]?.text).toContain('Receiver 2')
  }
  expect(await lineOf(manager)).toEqual([])
  const mails = (await t.mails()).filter(({ to }) => to === 'late@x.test')
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain(`/dispatch/order/${order.id}`)
})

test('the time alone makes an order late, too, and an order that somebody is changing waits', async () => {
  const { order } = await underWay({ deliver_by: at(600) })
  await run()
  expect(await eventsOf(order)).toEqual([])
  t.clock.advance(601 * minute)
  await changing(t.pool, order.company_id, async ({ tx }) => {
    await findOrder({ tx, companyId: order.company_id }, order.id)
    await tx.selectFrom('orders').selectAll().where('id', '=', order.id).forUpdate().execute()
    await run()
  })
  expect(await eventsOf(order)).toEqual([])
  await run()
  expect((await eventsOf(order)).map(({ kind }) => kind)).toEqual(['late', 'late'])
})

test('an order that is over is left alone', async () => {
  const { companyId } = await buildUser(t)
  const order = await anOrder(t, {
    companyId,
    more: { ...started(60), state: 'completed', ended_at: at(-1), deliver_by: at(-30) },
  })
  await run()
  expect(await etasOf(order)).toEqual([null])
  expect(await eventsOf(order)).toEqual([])
})

test('a stop before any departure keeps no leg', async () => {
  const { companyId } = await buildUser(t)
  const order = await anOrder(t, { companyId, receivers: [apapa], more: started(10) })
  await changing(t.pool, companyId, async ({ tx }) => {
    const [receiver] = order.receivers
    if (receiver) await noteArrival({ tx, companyId }, order, receiver, at(-11))
  })
  expect(await t.rows('select 1 from order_legs where order_id = $1', [order.id])).toEqual([])
})
