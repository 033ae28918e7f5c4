import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { dispatchOf } from '../../../test/dispatch-scene.ts'
import { apapa, ikeja } from '../../../test/order-factory.ts'
import type { TestReading, TestTracker } from '../../../test/test-pipeline.ts'
import { sweepFences, sweepLateFences } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * minute)
const between = (share: number) => ({
  lat: ikeja.lat + (apapa.lat - ikeja.lat) * share,
  lon: ikeja.lon + (apapa.lon - ikeja.lon) * share,
})
/** At the pick-up 120 minutes ago, away from 100, at the stop from 60 to 40, then away. */
const drive: [number, { lat: number; lon: number }][] = [
  ...([120, 115, 110, 105] as const).map((at): [number, typeof ikeja] => [at, ikeja]),
  ...[100, 90, 80, 70].map((at, n): [number, typeof ikeja] => [at, between(0.2 * (n + 1))]),
  ...[60, 55, 50, 45].map((at): [number, typeof ikeja] => [at, apapa]),
  ...[40, 30, 20].map((at, n): [number, typeof ikeja] => [at, between(0.8 - 0.2 * n)]),
]
const readings = (from: number, to: number, more: Partial<TestReading> = {}): TestReading[] =>
  drive
    .filter(([at]) => at <= from && at >= to)
    .map(([at, place]) => ({ at: ago(at), temperatureC: 5, ...place, ...more }))
const sweep = () => sweepFences.run(t.services, {})
const send = (device: TestTracker, all: TestReading[]) => pipeline.send(device, all)

async function van() {
  const d = await dispatchOf(t)
  const device = await d.device({ intervalS: 300 })
  const order = (more: object = {}) =>
    d.order({ deviceIds: [device.id], role: 'vehicle', more: { created_at: ago(600), pickup_at: ago(120), ...more } })
  const told = async (made: Awaited<ReturnType<typeof order>>) =>
    (await d.events(made))
      .filter(({ kind }) => !['warned', 'changed', 'linkMade'].includes(kind))
      .map(({ kind, occurredAt, source }) => [
        kind,
        (t.clock.now().getTime() - Date.parse(occurredAt)) / minute,
        source,
      ])
  return { ...d, van: device, order, told }
}

test('where a van came and went is told by its fixes, at their times, once', async () => {
  const d = await van()
  const order = await d.order()
  await d.done(d.act(order, 'start', { at: ago(112).toISOString() }))
  await send(d.van, readings(120, 50))
  await sweep()
  await send(d.van, readings(49, 0))
  await sweep()
  await sweep()
  expect(await d.told(order)).toEqual([
    ['started', 112, 'person'],
    ['leftPickup', 100, 'geofence'],
    ['arrived', 60, 'geofence'],
    ['departed', 40, 'geofence'],
  ])
  expect(await d.read(order)).toMatchObject({ state: 'inProgress', receiverList: [{ state: 'arrived' }] })
})

test('its rules start and end an order at the times of the fixes, however late they come', async () => {
  const d = await van()
  const order = await d.order({ start_rule: 'fence', end_rule: 'or' })
  await send(d.van, readings(120, 0))
  await sweep()
  expect(await d.told(order)).toEqual([
    ['leftPickup', 100, 'geofence'],
    ['started', 100, 'geofence'],
    ['arrived', 60, 'geofence'],
    ['departed', 40, 'geofence'],
    ['handedOver', 40, 'geofence'],
    ['ended', 40, 'geofence'],
  ])
  expect(await d.read(order)).toMatchObject({
    state: 'completed',
    startedAt: ago(100).toISOString(),
    endedAt: ago(40).toISOString(),
    receiverList: [{ state: 'delivered', settledBy: 'geofence' }],
  })
})

test('where the company says so, a stop that was reached and left waits for its hand-over, and the order with it', async () => {
  const d = await van()
  await t.change(
    d.companyId,
    'insert into dispatch_settings (company_id, fence_settles, updated_at) values ($1, false, now())',
    [d.companyId],
  )
  const order = await d.order({ start_rule: 'fence', end_rule: 'fence' })
  await send(d.van, readings(120, 0))
  await sweep()
  expect(await d.read(order)).toMatchObject({
    state: 'inProgress',
    receiverList: [{ state: 'arrived', departedAt: ago(40).toISOString(), settledBy: null }],
  })
  await d.done(d.ofStop(order, 'settle', { outcome: 'delivered', at: ago(45).toISOString() }))
  await send(d.van, [{ at: ago(1), temperatureC: 5, ...between(0.2) }])
  await sweep()
  expect(await d.read(order)).toMatchObject({ state: 'completed', receiverList: [{ settledBy: 'person' }] })
})

test('by the rule and, devices alone settle no stop', async () => {
  const d = await van()
  const order = await d.order({ start_rule: 'fence', end_rule: 'and' })
  await send(d.van, readings(120, 0))
  await sweep()
  expect(await d.read(order)).toMatchObject({
    state: 'inProgress',
    receiverList: [{ state: 'arrived', settledAt: null }],
  })
})

test('by the rule and both are needed, in any order', async () => {
  const d = await van()
  const order = await d.order({ start_rule: 'and', end_rule: 'and' })
  expect(await d.done(d.act(order, 'start', { at: ago(110).toISOString() }))).toMatchObject({ state: 'new' })
  await send(d.van, readings(120, 45))
  await sweep()
  expect(await d.read(order)).toMatchObject({ state: 'inProgress', startedAt: ago(100).toISOString() })
  const asked = await d.done(d.act(order, 'end', { at: ago(42).toISOString(), rest: { outcome: 'delivered' } }))
  expect(asked).toMatchObject({ state: 'inProgress' })
  await send(d.van, readings(40, 0))
  await sweep()
  expect(await d.read(order)).toMatchObject({ state: 'completed', endedAt: ago(40).toISOString() })
})

test('an order that cannot start as its van leaves stays new, and somebody is told once', async () => {
  const d = await van()
  const order = await d.order({ start_rule: 'or', driver_id: null })
  await send(d.van, readings(120, 0))
  await sweep()
  await sweep()
  const warned = (await d.events(order)).filter(({ kind }) => kind === 'warned')
  expect(warned).toMatchObject([{ detail: { code: 'notStarted', reason: 'DRIVER_NEEDED' } }])
  expect(await d.read(order)).toMatchObject({ state: 'new' })
})

test('a new order by hand does not hear of fences; a snoozed stop is not reached until it is waited for again', async () => {
  const d = await van()
  const byHand = await d.order()
  await send(d.van, readings(120, 70))
  await sweep()
  expect(await d.told(byHand)).toEqual([])
  await d.done(d.act(byHand, 'start', { at: ago(100).toISOString() }))
  await d.done(d.ofStop(byHand, 'snooze', { until: ago(-60).toISOString() }))
  await send(d.van, readings(69, 50))
  await sweep()
  expect(await d.read(byHand)).toMatchObject({ receiverList: [{ state: 'waiting', arrivedAt: null }] })
  await d.done(d.ofStop(byHand, 'snooze', { until: null }))
  t.clock.advance(20 * minute)
  await send(
    d.van,
    [10, 5, 1].map((at) => ({ at: ago(at), temperatureC: 5, ...apapa })),
  )
  await sweep()
  expect(await d.read(byHand)).toMatchObject({ receiverList: [{ state: 'arrived', arrivedAt: ago(10).toISOString() }] })
})

test('fixes of a second device that come hours late are heard by the hourly look', async () => {
  const d = await van()
  const box = await d.device({ intervalS: 300 })
  const order = await d.order()
  await d.done(
    d.ask('PATCH', d.path(order, '/crew'), { version: 1, devices: [d.van, box].map(({ id }) => ({ id: String(id) })) }),
  )
  await d.done(d.act(order, 'start', { at: ago(118).toISOString() }))
  t.clock.advance(300 * minute)
  await send(d.van, [{ at: ago(1), temperatureC: 5, ...between(0.5) }])
  await sweep()
  await send(
    box,
    drive.map(([at, place]) => ({ at: ago(at + 300), temperatureC: 5, ...place })),
  )
  await sweepLateFences.run(t.services, {})
  expect((await d.told(order)).slice(-3)).toEqual([
    ['leftPickup', 400, 'geofence'],
    ['arrived', 360, 'geofence'],
    ['departed', 340, 'geofence'],
  ])
})

test('an arrival and a departure that a fence told move to fixes of before that come late; what a person told stays', async () => {
  for (const byPerson of [false, true]) {
    const d = await van()
    const box = await d.device({ intervalS: 300 })
    const order = await d.order()
    const devices = [d.van, box].map(({ id }) => ({ id: String(id) }))
    await d.done(d.ask('PATCH', d.path(order, '/crew'), { version: 1, devices }))
    await d.done(d.act(order, 'start', { at: ago(118).toISOString() }))
    const stop = order.receivers[0]
    if (byPerson) await d.done(d.ofStop(order, 'arrive', { at: ago(55).toISOString() }))
    const sent = [readings(70, 61), readings(59, 41), readings(39, 20)].flat()
    await send(d.van, sent)
    await sweep()
    const visit = async () => {
      const { receiverList } = (await d.read(order)) as { receiverList: { arrivedAt: string; departedAt: string }[] }
      const [seen] = receiverList
      return [seen?.arrivedAt, seen?.departedAt].map((at = '') => (t.clock.now().getTime() - Date.parse(at)) / minute)
    }
    expect(await visit()).toEqual([55, 30])
    await send(box, readings(70, 20))
    await sweepLateFences.run(t.services, {})
    await sweepLateFences.run(t.services, {})
    expect(await visit()).toEqual([byPerson ? 55 : 60, 40])
    const told = (await d.told(order)).filter(([kind]) => ['arrived', 'departed'].includes(String(kind)))
    expect(told.filter(([, , source]) => source === 'geofence')).toHaveLength(byPerson ? 2 : 4)
    const legs = await t.rows<{ service_s: number }>('select service_s from order_legs where receiver_id = $1', [
      stop?.id,
    ])
    expect(legs.every(({ service_s }) => service_s === (byPerson ? 15 : 20) * 60)).toBe(true)
  }
})

test('light in the load away from any stop is a door that was opened, told once', async () => {
  const d = await van()
  const order = await d.order()
  await d.done(d.act(order, 'start', { at: ago(118).toISOString() }))
  const lit = (at: number, lightLux: number) => ({ at: ago(at), temperatureC: 5, lightLux, ...between(0.5) })
  await send(d.van, [lit(95, 0), lit(94, 400)])
  await sweep()
  await send(d.van, [lit(93, 400), lit(80, 0)])
  await sweep()
  const opened = (await d.events(order)).filter(({ kind }) => kind === 'doorOpened')
  expect(opened).toMatchObject([
    { source: 'device', occurredAt: ago(94).toISOString(), position: { lat: 6.52535, lon: 3.35535 } },
  ])
})
