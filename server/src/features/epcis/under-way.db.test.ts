import { type CaptureServer, openCapture } from '@isotherm/simulator/epcis/capture.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changing } from '../../../test/changed.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { joiningScene } from '../../../test/joining-scene.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'
import type { EpcisEvent } from '../../domain/epcis/events.ts'
import { sweepPushes } from './jobs.ts'

const t = describeApp({ webhookAllowPrivate: true })
const pipeline = describePipeline(t)
const [minute, hour] = [60_000, 3_600_000]
let admin: TestUser
let manager: TestUser
let capture: CaptureServer
beforeEach(async () => {
  admin = await buildUser(t)
  manager = await buildUser(t, { company: admin, role: 'manager' })
  capture = await openCapture()
  await t.change(
    admin.companyId,
    'insert into export_settings (company_id, capture_url, updated_at) values ($1, $2, now())',
    [admin.companyId, capture.url],
  )
})
afterEach(() => capture.close())

const limits = { temperatureMinC: 2, temperatureMaxC: 8 }

/** A shipment of four hours that ended now: one device joined after an hour, one left after three. Both were warm while they were elsewhere. */
async function fourHours() {
  const from = t.clock.now().getTime() - 4 * hour
  const after = (ms: number) => new Date(from + ms)
  const [stays, joins, leaves] = [
    await aDevice(t, { ...admin, limits }),
    await aDevice(t, { ...admin, limits }),
    await aDevice(t, { ...admin, limits }),
  ]
  for (const [device, warmAt] of [
    [stays, null],
    [joins, 1],
    [leaves, 20],
  ] as const)
    await pipeline.send(
      device,
      Array.from({ length: 25 }, (_, n) => ({ at: after(n * 10 * minute), temperatureC: n === warmAt ? 20 : 5 })),
    )
  const shipment = await aShipment(t, admin, {
    state: 'completed',
    devices: [
      { device_id: stays.id, place: 'air' },
      { device_id: joins.id, place: 'pulp1', joined_at: after(hour) },
      { device_id: leaves.id, place: 'pulp2', left_at: after(3 * hour) },
    ],
    more: { started_at: after(0), ended_at: t.clock.now() },
  })
  const legId = shipment.legs[0]?.id ?? null
  return { shipment, stays, joins, leaves, after, legId }
}

const happens = (shipmentId: string, kind: string, at: Date, legId: string | null) =>
  changing(t.pool, admin.companyId, ({ tx }) =>
    insertShipmentEvent(
      { tx, companyId: admin.companyId },
      {
        ...{ shipment_id: shipmentId, leg_id: legId, kind, occurred_at: at, recorded_at: t.clock.now() },
        ...{ occurred_zone: 'UTC', source: 'person', by_name: 'Thandi' },
      },
    ),
  )

async function eventsOf(id: string, user = admin): Promise<EpcisEvent[]> {
  const answer = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipments/${id}/epcis` },
    headers: { authorization: `Bearer ${user.token}` },
  })
  return JSON.parse(answer.payload).epcisBody.eventList
}
const push = async (id: string, user = admin) => {
  const answer = await t.call('POST', `/export/shipments/${id}/epcis/pushes`, { token: user.token })
  await t.runJobs()
  t.clock.advance(minute)
  await sweepPushes.run(t.services, {})
  return answer
}

interface Element {
  sensorMetadata: { deviceID: string; startTime: string; endTime: string }
  sensorReport: { exception?: string }[]
}
const elementsOf = (events: readonly EpcisEvent[], deviceId: number) =>
  events
    .filter(({ bizStep }) => bizStep === 'storing')
    .flatMap(({ sensorElementList }) => sensorElementList as Element[])
    .filter(({ sensorMetadata }) => sensorMetadata.deviceID.endsWith(`/${deviceId}`))
const timesOf = (elements: readonly Element[]) => [
  elements[0]?.sensorMetadata.startTime,
  elements.at(-1)?.sensorMetadata.endTime,
]
const isoOf = (...times: Date[]) => times.map((at) => at.toISOString())

test('a device is told of from its joining and until it was taken off, and counts so for the verdict', async () => {
  const { shipment, stays, joins, leaves, after } = await fourHours()
  const list = await eventsOf(shipment.id)
  const [one, two, three] = [stays, joins, leaves].map(({ id }) => elementsOf(list, id))
  expect(timesOf(one ?? [])).toEqual(isoOf(after(0), after(4 * hour - 10 * minute)))
  expect(timesOf(two ?? [])).toEqual(isoOf(after(hour), after(4 * hour - 10 * minute)))
  expect(timesOf(three ?? [])).toEqual(isoOf(after(0), after(3 * hour - 10 * minute)))
  const reports = list.flatMap((event) => (event.sensorElementList ?? []) as Element[])
  expect(reports.flatMap(({ sensorReport }) => sensorReport).filter(({ exception }) => exception)).toEqual([])
  expect(list.find(({ bizStep }) => bizStep === 'inspecting')?.disposition).toBe('conformant')
  const steps = list.flatMap(({ bizStep, eventTime }) => (bizStep === 'removing' ? [eventTime] : []))
  expect(steps).toEqual(isoOf(after(3 * hour)))
})

const verdictOf = async (id: string, user: TestUser) =>
  (await eventsOf(id, user)).find(({ bizStep }) => bizStep === 'inspecting')?.disposition

test('goods that had no device for some time are told as no outcome of an inspection, as on their page', async () => {
  const s = await joiningScene(t, pipeline)
  const late = await s.device('Late')
  const id = await s.started([])
  await s.measures(late, 0, 60, 5)
  await s.has(id, 65, late)
  await s.measures(late, 70, 180, 5)
  await s.complete(id, 185)
  expect([(await s.details(id)).verdict, await verdictOf(id, s.admin)]).toEqual(['incomplete', undefined])
})

test('what a device measured before it came into the goods is no part of the verdict', async () => {
  const s = await joiningScene(t, pipeline)
  const [first, office] = [await s.device('First'), await s.device('Office')]
  const id = await s.started([first])
  await s.measures(first, 0, 120, 5)
  await s.measures(office, 0, 120, 25)
  await s.has(id, 125, first, office)
  await s.measures(office, 130, 240, 5)
  await s.measures(first, 130, 240, 5)
  await s.complete(id, 245)
  expect([(await s.details(id)).verdict, await verdictOf(id, s.admin)]).toEqual(['inRange', 'conformant'])
})

test('what a device measured after the goods had come is no part of the verdict', async () => {
  const s = await joiningScene(t, pipeline)
  const [first, lent] = [await s.device('First'), await s.device('Lent')]
  const id = await s.started([first, lent])
  await s.measures(first, 0, 240, 5)
  await s.measures(lent, 0, 120, 5)
  await s.measures(lent, 130, 240, 25)
  await s.has(id, 245, first)
  await s.ask('PATCH', `/export/shipments/${id}`, { state: 'completed', at: s.at(125).toISOString() })
  expect([(await s.details(id)).verdict, await verdictOf(id, s.admin)]).toEqual(['inRange', 'conformant'])
})

test('a device that was added by mistake, and was taken off without a reading, leaves the verdict as it is', async () => {
  const s = await joiningScene(t, pipeline)
  const [first, wrong] = [await s.device('First'), await s.device('Wrong')]
  const id = await s.started([first])
  await s.measures(first, 0, 120, 5)
  await s.has(id, 125, first, wrong)
  await s.has(id, 127, first)
  await s.measures(first, 130, 240, 5)
  await s.complete(id, 245)
  expect([(await s.details(id)).verdict, await verdictOf(id, s.admin)]).toEqual(['inRange', 'conformant'])
})

test('a time out of range that goes on after a device was taken off is told with the farthest value of until then', async () => {
  const from = t.clock.now().getTime() - 4 * hour
  const after = (ms: number) => new Date(from + ms)
  const device = await aDevice(t, { ...admin, limits })
  const measured = (n: number) => (n < 16 ? 5 : n < 18 ? 12 : 25)
  await pipeline.send(
    device,
    Array.from({ length: 25 }, (_, n) => ({ at: after(n * 10 * minute), temperatureC: measured(n) })),
  )
  const shipment = await aShipment(t, admin, {
    ...{ state: 'completed', devices: [{ device_id: device.id, place: 'air', left_at: after(3 * hour - minute) }] },
    more: { started_at: after(0), ended_at: t.clock.now() },
  })
  const reports = elementsOf(await eventsOf(shipment.id), device.id).flatMap(({ sensorReport }) => sensorReport)
  expect(reports.filter(({ exception }) => exception)).toMatchObject([{ exception: 'ALARM_CONDITION', value: 12 }])
})

const linesOf = () => capture.taken.flatMap(({ epcisBody }) => epcisBody.eventList as EpcisEvent[])

test('another push of a shipment withdraws what was told of its times before, and the receiver has the truth', async () => {
  const { shipment, after, legId } = await fourHours()
  await push(shipment.id)
  // Noted late: the goods were stuffed, and sailed, hours ago.
  await happens(shipment.id, 'stuffed', after(30 * minute), legId)
  await happens(shipment.id, 'departed', after(2 * hour), legId)
  await push(shipment.id)
  const withdrawn = linesOf().filter(({ errorDeclaration }) => errorDeclaration)
  expect(new Set(withdrawn.map(({ bizStep }) => bizStep))).toEqual(new Set(['installing', 'storing']))
  const held = new Set(linesOf().map(({ eventID }) => eventID))
  for (const { eventID } of withdrawn) held.delete(eventID)
  const now = await eventsOf(shipment.id)
  expect([...held].sort()).toEqual(now.map(({ eventID }) => eventID).sort())
  expect(now.map(({ bizStep }) => bizStep)).toEqual(expect.arrayContaining(['storing', 'departing', 'transporting']))
})

const sscc = '160012345000000015'

test('pallets are told to everybody, and nothing else of a device that the reader may not see', async () => {
  const { shipment, joins, after, legId } = await fourHours()
  await t.change(admin.companyId, `update devices set visibility = 'private' where id = $1`, [joins.id])
  // At this instant no other device measured anything.
  const joinedAt = after(hour + minute)
  await t.change(admin.companyId, 'update shipment_devices set sscc = $2, joined_at = $3 where device_id = $1', [
    joins.id,
    sscc,
    joinedAt,
  ])
  await happens(shipment.id, 'stuffed', after(30 * minute), legId)
  const [all, some] = [await eventsOf(shipment.id), await eventsOf(shipment.id, manager)]
  const ofGoods = ['commissioning', 'packing', 'loading']
  const goods = (list: readonly EpcisEvent[]) => list.filter(({ bizStep }) => ofGoods.includes(bizStep))
  expect(goods(some)).toEqual(goods(all))
  expect(goods(some).map(({ bizStep }) => bizStep)).toEqual(ofGoods)
  const text = JSON.stringify(some)
  expect(text).toContain(sscc)
  expect(text).not.toContain(`/id/device/${joins.id}"`)
  expect(text).not.toContain(joinedAt.toISOString())
})

test('somebody who does not see all devices pushes nothing, and undoes nothing that the receiver has', async () => {
  const { shipment, joins } = await fourHours()
  await push(shipment.id)
  const before = linesOf().length
  await t.change(admin.companyId, `update devices set visibility = 'private' where id = $1`, [joins.id])
  expect((await push(shipment.id, manager)).body.code).toBe('EPCIS_DEVICES_HIDDEN')
  expect(linesOf()).toHaveLength(before)
  expect((await push(shipment.id)).status).toBe(200)
  expect(linesOf().some(({ errorDeclaration }) => errorDeclaration)).toBe(false)
})
