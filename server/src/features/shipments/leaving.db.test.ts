import type { ShipmentConditions } from '@isotherm/contract/shipment-calls.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { given, joiningScene } from '../../../test/joining-scene.ts'
import { rotterdam } from '../../../test/shipment-factory.ts'
import { sweepShipmentFences } from './sweep-fences.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const scene = () => joiningScene(t, pipeline)
const minute = 60_000

const faultsOf = (answer: { status: number; body: { fields?: object } }) => [
  answer.status,
  Object.keys(answer.body.fields ?? {}),
]

test('a device that is taken off under way keeps what it measured until then, is free, and counts no more', async () => {
  const s = await scene()
  const [first, lent] = [await s.device('First'), await s.device('Lent')]
  const id = await s.started([first, lent])
  await s.measures(first, 0, 120, 5)
  await s.measures(lent, 0, 120, 6)
  await s.has(id, 125, first)
  await s.measures(first, 130, 240, 5)
  await s.measures(lent, 130, 240, 25)
  const details = await s.details(id)
  expect([details.verdict, details.deviceCount, details.hiddenDevices]).toEqual(['inRange', 1, 0])
  expect(details.devices.map(({ name, leftAt }) => [name, leftAt])).toEqual([
    ['First', null],
    ['Lent', s.at(125).toISOString()],
  ])
  const removed = details.events.filter(({ kind }) => kind === 'deviceRemoved')
  expect(removed.map(({ deviceName }) => deviceName)).toEqual(['Lent'])
  expect((await s.linkOf(id)).conditions).toMatchObject({ verdict: 'inRange', worstC: 6 })
  const stats = await s.statsOf(id)
  expect(stats.verdict).toBe('inRange')
  expect(
    stats.devices.map(({ name, period, temperature }) => [name, period.to, temperature.count, temperature.max?.value]),
  ).toEqual([
    ['First', s.at(240).toISOString(), 25, 5],
    ['Lent', s.at(125).toISOString(), 13, 6],
  ])
  expect((await s.recordOf(id)).devices.map(({ leftAt }) => leftAt)).toEqual([null, s.at(125).toISOString()])
  const other = await s.started([lent])
  expect((await s.details(other)).devices).toMatchObject([{ name: 'Lent', joinedAt: null, leftAt: null }])
  await s.complete(id, 245)
  expect((await s.details(id)).devices.map(({ isLeftBehind }) => isLeftBehind)).toEqual([true, false])
})

test('what a device measured out of range before it was taken off stays', async () => {
  const s = await scene()
  const [first, warm] = [await s.device('First'), await s.device('Warm')]
  const id = await s.started([first, warm])
  await s.measures(first, 0, 120, 5)
  await s.measures(warm, 0, 120, 12)
  await s.has(id, 125, first)
  await s.measures(first, 130, 240, 5)
  await s.measures(warm, 130, 240, 25)
  expect([(await s.listed(id)).verdict, (await s.statsOf(id)).verdict]).toEqual(['outOfRange', 'outOfRange'])
  const conditions: ShipmentConditions = await s.ask('GET', `/export/shipments/${id}/conditions`)
  expect(conditions[0]?.devices.map(({ name, maxC, outsideMs }) => [name, maxC, outsideMs / minute])).toEqual([
    ['First', 5, 0],
    ['Warm', 12, 125],
  ])
})

test('one device takes the place of another in one edit, and the goods were measured all the time', async () => {
  const s = await scene()
  const [first, next] = [await s.device('First'), await s.device('Next')]
  const id = await s.started([first])
  await s.measures(first, 0, 120, 5)
  await s.measures(next, 0, 120, 25)
  await s.has(id, 125, next)
  const verdicts = async () => [
    ...[(await s.listed(id)).verdict, (await s.statsOf(id)).verdict, (await s.linkOf(id)).conditions.verdict],
  ]
  // Its first reading is awaited for three intervals.
  t.clock.set(s.at(154))
  expect(await verdicts()).toEqual(['inRange', 'inRange', 'inRange'])
  t.clock.set(s.at(156))
  expect(await verdicts()).toEqual(['incomplete', 'noData', 'noData'])
  await s.measures(next, 130, 240, 5)
  expect(await verdicts()).toEqual(['inRange', 'inRange', 'inRange'])
})

test('goods that all devices have left are not proven in range', async () => {
  const s = await scene()
  const only = await s.device('Only')
  const id = await s.started([only])
  await s.measures(only, 0, 120, 5)
  await s.has(id, 125)
  t.clock.set(s.at(200))
  const span = { from: s.at(125).toISOString(), to: s.at(200).toISOString() }
  expect((await s.details(id)).verdict).toBe('incomplete')
  expect(await s.statsOf(id)).toMatchObject({ verdict: 'incomplete', unattended: [span] })
  expect((await s.ask('GET', '/export/shipments/summary')).unwatched).toBe(1)
})

test('a device that was taken off does not come back to the same shipment, and a probe in fruit is not taken off', async () => {
  const s = await scene()
  const [first, probe] = [await s.device('First'), await s.device('Probe')]
  const id = await s.started([first], { devices: [...given(first), { id: String(probe.id), place: 'pulp1' }] })
  expect(faultsOf(await s.change(id, 10, first))).toEqual([422, ['devices']])
  const kept = [{ id: String(probe.id), place: 'pulp1' }]
  expect((await s.give(id, kept)).status).toBe(200)
  const back = { id: String(first.id), place: 'return' }
  expect(faultsOf(await s.give(id, [...kept, back]))).toEqual([422, ['devices.1.id']])
  // At the place that it had it is taken for the list that was told, and the answer says that it is off.
  const told = await s.give(id, [...kept, ...given(first)])
  expect(told.status).toBe(200)
  expect(
    told.body.payload.devices.map((one: { name: string; leftAt: string | null }) => [one.name, one.leftAt]),
  ).toEqual([
    ['Probe', null],
    ['First', s.at(10).toISOString()],
  ])
})

test('the devices that a shipment tells may be sent back as they are: one that was taken off stays off', async () => {
  const s = await scene()
  const [first, next] = [await s.device('First'), await s.device('Next')]
  const id = await s.started([], { devices: [{ id: String(first.id), place: 'air', palletRef: 'A 1' }] })
  await s.has(id, 125, next)
  await t.call('PUT', `/devices/${first.id}/decommission`, { token: s.admin.token, body: {} })
  const before = (await s.details(id)).devices
  const told = before.map(({ id: deviceId, place, palletRef, sscc, ssccUnchecked }) => ({
    ...{ id: deviceId, place, palletRef, sscc, ssccUnchecked },
  }))
  t.clock.set(s.at(130))
  const answer = await s.give(id, told)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect((await s.details(id)).devices).toEqual(before)
  expect(before.map(({ name, leftAt }) => [name, leftAt])).toEqual([
    ['Next', null],
    ['First', s.at(125).toISOString()],
  ])
  const moved = told.map((one) => ({ ...one, palletRef: 'B 2' }))
  expect(faultsOf(await s.give(id, moved))).toEqual([422, ['devices.1.id']])
})

test('a shipment has 50 devices at once, and those that were taken off count towards 200 in all', async () => {
  const s = await scene()
  const [first, next, another] = [await s.device('First'), await s.device('Next'), await s.device('Another')]
  const id = await s.started([first])
  const many = Array.from({ length: 51 }, (_, n) => ({ id: String(first.id + n), place: 'air' }))
  const tooMany = await s.give(id, many)
  expect(tooMany.body.fields.devices).toEqual(['A shipment has at most 50 devices at once.'])
  const old = await Promise.all(Array.from({ length: 198 }, (_, n) => s.device(`Old ${n}`)))
  await t.change(
    s.admin.companyId,
    `insert into shipment_devices (company_id, shipment_id, device_id, place, joined_at, left_at)
     select $1::int4, $2::int8, id, 'air', $4::timestamptz, $5::timestamptz from unnest($3::int4[]) as o (id)`,
    [s.admin.companyId, id, old.map((one) => one.id), s.at(1), s.at(2)],
  )
  await s.has(id, 125, next)
  const swap = await s.change(id, 130, another)
  expect(swap.body.fields.devices).toEqual([
    'A shipment has at most 200 devices in all, those that were taken off among them.',
  ])
  // The whole list may be sent back, however long.
  const told = (await s.details(id)).devices.map((one) => ({ id: one.id, place: one.place }))
  expect([told.length, (await s.give(id, told)).status]).toEqual([200, 200])
})

test('a last logger that uploads its memory only after it was taken off tells when the goods came, and nothing of later', async () => {
  const s = await scene()
  const logger = await s.device('Logger')
  const id = await s.started([logger])
  const tells = async (place: { lat: number; lon: number }, ...minutes: number[]) => {
    await pipeline.send(
      logger,
      minutes.map((after) => ({ at: s.at(after), temperatureC: 5, ...place })),
    )
    await sweepShipmentFences.run(t.services, {})
  }
  t.clock.set(s.at(20))
  await tells({ lat: -20, lon: 5 }, 10, 20)
  await s.has(id, 125)
  t.clock.set(s.at(150))
  await tells(rotterdam, 130, 140)
  expect((await s.details(id)).state).toBe('ongoing')
  await tells(rotterdam, 100, 110)
  expect(await s.details(id)).toMatchObject({ state: 'completed', endedAt: s.at(100).toISOString() })
})

test('an excursion is told with the farthest value of its time with the goods, whatever the device measures elsewhere', async () => {
  const s = await scene()
  const [first, warm, late] = [await s.device('First'), await s.device('Warm'), await s.device('Late')]
  const id = await s.started([first, warm])
  await s.measures(first, 0, 120, 5)
  await s.measures(warm, 0, 60, 10)
  await s.measures(warm, 70, 120, 12)
  await s.measures(late, 0, 120, 30)
  await s.has(id, 125, first, late)
  await s.measures(first, 130, 240, 5)
  await s.measures(warm, 130, 240, 25)
  await s.measures(late, 130, 180, 9)
  await s.measures(late, 190, 240, 11)
  const { excursions } = await s.ask('GET', `/export/shipments/${id}/custody`)
  expect(excursions.map((one: { deviceName: string; peak: number }) => [one.deviceName, one.peak])).toEqual([
    ['Warm', 12],
    ['Late', 11],
  ])
})

test('a device that was taken off before anything of it counted attends no time, for the shipment as for its record', async () => {
  const s = await scene()
  const [first, last] = [await s.device('First'), await s.device('Last')]
  const silent = await s.device('Silent', { intervalS: 3_600 })
  const id = await s.started([first])
  await s.measures(first, 0, 120, 5)
  await s.has(id, 120, silent)
  await s.has(id, 270, last)
  await s.measures(last, 270, 360, 5)
  await s.complete(id, 360)
  expect(await s.statsOf(id)).toMatchObject({
    ...{ verdict: 'incomplete', devices: [{ name: 'First' }, { name: 'Last' }] },
    unattended: [{ from: s.at(120).toISOString(), to: s.at(270).toISOString() }],
  })
  const { verdict } = await s.details(id)
  expect([verdict, (await s.listed(id)).verdict, (await s.linkOf(id)).conditions.verdict]).toEqual([
    'incomplete',
    'incomplete',
    'incomplete',
  ])
})
