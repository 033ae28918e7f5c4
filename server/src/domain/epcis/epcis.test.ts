import { milestoneKinds } from '@isotherm/contract/shipments.ts'
import { describe, expect, test } from 'vitest'
import {
  at,
  changed,
  day,
  device,
  document,
  end,
  event,
  journey,
  listOf,
  naming,
  oranges,
  product,
  shipped,
  sscc,
  whole,
} from '../../../test/epcis-shipment.ts'
import { epcisSchemas, epcisValidator } from '../../../test/epcis-validator.ts'
import { type EpcisDocument, epcisOf } from './epcis.ts'
import { type EpcisEvent, offsetOf } from './events.ts'
import { faultsOf } from './faults.ts'
import type { Shipped } from './shipped.ts'
import { stretchesOf } from './stretches.ts'
import { heldEvents, withdrawnEvents as withdrawnOf } from './withdrawn.ts'

/** Without what every shipment has that started. */
const told = (more: Partial<Shipped>): EpcisEvent[] =>
  listOf({ devices: [], pallets: [], verdict: null, ...more }).filter(({ bizStep }) => bizStep !== 'installing')

/** The events that a push withdraws after one that was accepted. */
const withdrawnEvents = ({ epcisBody: { eventList } }: EpcisDocument, after: EpcisDocument, now: Date) =>
  withdrawnOf(
    heldEvents([{ eventList, parts: [{ from: 0, upTo: eventList.length, outcome: 'accepted' }] }]),
    after,
    now,
  )

test('the journey of a cold shipment is the table of its events', () => {
  expect(listOf(whole).map(({ type, action, bizStep, disposition }) => [type, action, bizStep, disposition])).toEqual([
    ['ObjectEvent', 'ADD', 'commissioning', 'active'],
    ['AggregationEvent', 'ADD', 'packing', 'in_progress'],
    ['AssociationEvent', 'ADD', 'installing', undefined],
    ['AssociationEvent', 'ADD', 'installing', undefined],
    ['AggregationEvent', 'ADD', 'loading', 'container_closed'],
    ['ObjectEvent', 'OBSERVE', 'entering_exiting', 'in_progress'],
    ['AggregationEvent', 'ADD', 'loading', 'in_progress'],
    ['ObjectEvent', 'OBSERVE', 'departing', 'in_transit'],
    ['ObjectEvent', 'OBSERVE', 'transporting', 'in_transit'],
    ['ObjectEvent', 'OBSERVE', 'transporting', 'in_transit'],
    ['ObjectEvent', 'OBSERVE', 'arriving', 'in_transit'],
    ['AggregationEvent', 'DELETE', 'unloading', 'in_progress'],
    ['AggregationEvent', 'DELETE', 'unloading', 'in_progress'],
    ['ObjectEvent', 'OBSERVE', 'accepting', 'in_progress'],
    ['ObjectEvent', 'OBSERVE', 'inspecting', 'conformant'],
  ])
})

test('a milestone without a leg is told at the ends of the shipment, with the container of any leg and no vessel', () => {
  const [sea] = shipped().legs
  if (!sea) throw new Error('no leg')
  const byTrain = (id: string) => ({
    ...{ ...sea, id, mode: 'rail' as const, fromPort: null, toPort: null, containerNo: null },
    ...{ vesselName: null, imo: null, voyage: null, sealNo: null },
  })
  const loose = { legId: null }
  const events = [
    event('1', 'stuffed', '2026-06-02T05:20:00Z', loose),
    event('2', 'departed', '2026-06-02T06:20:00Z', loose),
    event('3', 'departed', '2026-06-03T16:00:00Z', { legId: sea.id }),
    event('4', 'delivered', '2026-06-25T10:15:00Z', loose),
  ]
  const destination = { ...end('2', 'Rotterdam', 'Europe/Amsterdam'), lat: 51.95, lon: 4.05 }
  const list = listOf({
    legs: [byTrain('8'), sea, byTrain('9')],
    destination,
    events,
    ...{ devices: [device(5)], pallets: [] },
  })
  const container = 'urn:epc:id:bic:CSQU3054383'
  const origin = { id: 'geo:-33.9060,18.4350' }
  const [installing, stuffed, left, sailed, unloaded, accepted] = list
  expect(installing).toMatchObject({ bizStep: 'installing', parentID: container })
  expect(stuffed).toMatchObject({ type: 'AggregationEvent', parentID: container, readPoint: origin })
  expect(left).toMatchObject({ bizStep: 'departing', epcList: [container], readPoint: origin })
  expect(left).not.toHaveProperty('iso:imo')
  expect(sailed).toMatchObject({ readPoint: { id: 'https://cold.example/id/unlocode/ZACPT' }, 'iso:imo': '9074729' })
  const arrived = { id: 'geo:51.9500,4.0500' }
  expect(unloaded).toMatchObject({ action: 'DELETE', parentID: container, readPoint: arrived })
  expect(accepted).toMatchObject({ bizStep: 'accepting', readPoint: arrived })
  expect(accepted?.destinationList).toContainEqual({ type: 'location', destination: arrived.id })
})

test('things and places have their names, and times the offset of their place', () => {
  const [stuffed, , loaded, departed, , arrived] = listOf(whole)
    .slice(4, 12)
    .filter((one) => one.bizStep !== 'transporting')
  expect(stuffed).toMatchObject({
    ...{ parentID: 'urn:epc:id:bic:CSQU3054383', childEPCs: [`https://cold.example/id/pallet/${sscc}`] },
    bizTransactionList: [{ bizTransaction: 'https://cold.example/id/shipment/4711' }],
  })
  expect(loaded).toMatchObject({ parentID: 'urn:epc:id:imovn:9074729', childEPCs: ['urn:epc:id:bic:CSQU3054383'] })
  expect(departed).toMatchObject({
    ...{ eventTime: '2026-06-03T16:00:00.000Z', eventTimeZoneOffset: '+02:00', 'iso:imo': '9074729' },
    readPoint: { id: 'https://cold.example/id/unlocode/ZACPT' },
    sourceList: [{ type: 'possessing_party', source: 'https://cold.example/id/company/7' }],
    destinationList: [
      { type: 'location', destination: 'https://cold.example/id/unlocode/NLRTM' },
      { type: 'possessing_party', destination: 'https://cold.example/id/partner/31' },
    ],
  })
  expect(arrived?.readPoint).toEqual({ id: 'https://cold.example/id/unlocode/NLRTM' })
  expect(listOf(whole).find(({ bizStep }) => bizStep === 'accepting')?.readPoint).toEqual({ id: 'geo:51.9500,4.0500' })
})

test('a company with a prefix of GS1 speaks by its numbers', () => {
  const list = listOf(whole, { ...naming, gs1Prefix: '6001234', gln: '6001234500001' })
  expect(list[0]?.epcList).toEqual([`https://id.gs1.org/00/${sscc}`])
  expect(list.find(({ bizStep }) => bizStep === 'departing')?.sourceList).toEqual([
    { type: 'possessing_party', source: 'https://id.gs1.org/417/6001234500001' },
  ])
})

const gtin = '06001234500018'
const packings = (list: EpcisEvent[]) => list.filter(({ bizStep }) => bizStep === 'packing')

test('a trade item with its lot is named by GS1 whoever ships it, and another one is another event', () => {
  const [packed] = packings(listOf({ ...whole, ...oranges(gtin) }))
  expect(packed).toMatchObject({
    ...{ parentID: `https://cold.example/id/pallet/${sscc}`, 'iso:lot': 'L2606A' },
    childQuantityList: [{ epcClass: `https://id.gs1.org/01/${gtin}/10/L2606A` }],
  })
  const ids = [null, gtin, '06291041500213'].map((one) => packings(listOf({ ...whole, ...oranges(one) }))[0]?.eventID)
  expect(new Set(ids).size).toBe(3)
  // Neither spaces nor more than 20 signs are a lot of GS1.
  const classOf = (more: Partial<Shipped>) =>
    packings(listOf({ ...whole, ...oranges(gtin), ...more }))[0]?.childQuantityList
  for (const lot of [null, 'LOT 7', 'L'.repeat(21)])
    expect(classOf({ lot })).toEqual([{ epcClass: `https://id.gs1.org/01/${gtin}` }])
  expect(classOf({ lot: '7/A' })).toEqual([{ epcClass: `https://id.gs1.org/01/${gtin}/10/7%2FA` }])
  // As GS1's own programs write them, with which others compare.
  const signs = '%21%22%25%26%27%28%29%2A%2B%2C-.%2F%3A%3B%3C%3D%3E%3F_'
  expect(classOf({ lot: `!"%&'()*+,-./:;<=>?_` })).toEqual([{ epcClass: `https://id.gs1.org/01/${gtin}/10/${signs}` }])
})

test('without numbered pallets the shipment is made of the trade item from its start; before that nothing is told', () => {
  const devices = { devices: [device(6)], pallets: [] }
  expect(packings(listOf({ ...whole, ...devices }))).toEqual([])
  const list = packings(listOf({ ...whole, ...devices, ...oranges(gtin) }))
  expect(list).toMatchObject([
    { parentID: 'https://cold.example/id/shipment/4711', eventTime: '2026-06-01T06:00:00.000Z' },
  ])
  expect(packings(listOf({ ...devices, ...oranges(gtin), startedAt: null, endedAt: null, verdict: null }))).toEqual([])
  expect(faultsOf(document({ ...whole, ...devices, ...oranges(gtin) }))).toEqual([])
})

test('several products are what the shipment is made of, each with its class and its quantity', () => {
  const products: Shipped['products'] = [
    product('Oranges', { gtin, quantity: 800, quantityUnit: 'carton' }),
    product('Lemons', { quantity: 1_200.25, quantityUnit: 'kg' }),
    product('Limes', { gtin: '06001234500019' }),
  ]
  const told = document({ ...whole, products })
  const list = packings(told.epcisBody.eventList)
  const parentID = 'https://cold.example/id/shipment/4711'
  expect(list.map((one) => [one['iso:product'], one.parentID, one.childQuantityList])).toEqual([
    ['Oranges', parentID, [{ epcClass: `https://id.gs1.org/01/${gtin}/10/L2606A`, quantity: 800 }]],
    ['Lemons', parentID, [{ epcClass: `${parentID}/product/Lemons/lot/L2606A`, quantity: 1_200.25, uom: 'KGM' }]],
    ['Limes', parentID, [{ epcClass: 'https://cold.example/id/gtin/06001234500019/lot/L2606A' }]],
  ])
  // The pallets are told by their numbers; which product is on one nobody says.
  expect(told.epcisBody.eventList.filter(({ bizStep }) => bizStep === 'commissioning')).toHaveLength(1)
  expect(faultsOf(told)).toEqual([])
  const [one] = products
  expect(packings(listOf({ ...whole, products: [one], devices: [], pallets: [] }))).toMatchObject([
    { childQuantityList: [{ quantity: 800 }] },
  ])
  const before = new Set(list.map(({ eventID }) => eventID))
  const more = packings(listOf({ ...whole, products: [one, product('Lemons', { quantity: 1, quantityUnit: 't' })] }))
  expect(more.map(({ eventID }) => before.has(eventID))).toEqual([true, false])
})

test('places with a GLN are named by it, ports too; one that somebody overrode is none', () => {
  const [citrusdal, terminal, rotterdam] = ['6001234500025', '8712345000011', '8712345000028']
  const { origin, destination } = shipped()
  const places = { origin: { ...origin, gln: citrusdal }, destination: { ...destination, gln: rotterdam } }
  const name = { ...naming, portGlns: new Map([['NLRTM', terminal]]) }
  const list = listOf({ ...whole, ...places }, name)
  const at = (bizStep: string) => list.find((one) => one.bizStep === bizStep)?.readPoint
  expect(at('commissioning')).toEqual({ id: `https://id.gs1.org/414/${citrusdal}` })
  expect(at('arriving')).toEqual({ id: `https://id.gs1.org/414/${terminal}` })
  expect(at('departing')).toEqual({ id: 'https://cold.example/id/unlocode/ZACPT' })
  const [leg] = shipped().legs
  const overland = leg ? [{ ...leg, mode: 'rail' as const, fromPort: null, toPort: null }] : []
  const delivered = listOf({ ...whole, ...places, legs: overland }).find(({ bizStep }) => bizStep === 'accepting')
  expect(delivered?.readPoint).toEqual({ id: `https://id.gs1.org/414/${rotterdam}` })
  expect(delivered?.destinationList).toContainEqual({
    ...{ type: 'location', destination: `https://id.gs1.org/414/${rotterdam}` },
  })
  const wrong = { ...origin, gln: '6001234500026', glnUnchecked: true }
  const text = JSON.stringify(listOf({ ...whole, origin: wrong }, { ...naming, portGlns: new Map([['NLRTM', '1']]) }))
  expect(text).not.toContain('id.gs1.org/414')
})

test('numbers of GS1 and IMO whose check digit somebody overrode are none', () => {
  const [leg] = shipped().legs
  const wrong = { ...oranges('06001234500019'), devices: [], pallets: ['160012345000000016'] }
  const legs = leg ? [{ ...leg, imo: '9074728' }] : []
  const text = JSON.stringify(document({ ...whole, ...wrong, legs }, { ...naming, gs1Prefix: '6001234' }))
  expect(text).not.toMatch(/id\.gs1\.org|urn:epc:id:imovn/)
  expect(text).toContain('https://cold.example/id/pallet/160012345000000016')
  expect(text).toContain('https://cold.example/id/gtin/06001234500019/lot/L2606A')
  expect(text).toContain('"iso:imo":"9074728"')
})

test('a container whose check digit somebody overrode has an address of ours', () => {
  const [leg] = shipped().legs
  const list = told({ events: journey.slice(3, 4), legs: leg ? [{ ...leg, containerUnchecked: true }] : [] })
  expect(list[0]?.epcList).toEqual(['https://cold.example/id/container/CSQU3054383'])
})

test('without container, ship and pallets the shipment itself travels', () => {
  const [leg] = shipped().legs
  const legs = leg ? [{ ...leg, mode: 'air' as const, imo: null, containerNo: null, awb: '02012345675' }] : []
  const list = told({ events: journey, legs })
  expect(new Set(list.map(({ type }) => type))).toEqual(new Set(['ObjectEvent']))
  expect(new Set(list.flatMap(({ epcList }) => epcList))).toEqual(new Set(['https://cold.example/id/shipment/4711']))
  expect(list[0]?.bizTransactionList).toContainEqual({
    ...{ type: 'bol', bizTransaction: 'https://cold.example/id/shipment/4711/awb/02012345675' },
  })
})

test('readings are summed by day, with the beginnings of times out of range', () => {
  const first = listOf(whole).find(({ bizStep }) => bizStep === 'transporting')
  expect(first?.sensorElementList).toMatchObject([
    {
      sensorMetadata: { deviceID: 'https://cold.example/id/device/5', startTime: '2026-06-04T00:05:00.000Z' },
      sensorReport: [
        { type: 'Temperature', minValue: -0.9, maxValue: 3.4, meanValue: -0.4, uom: 'CEL', component: 'iso:pulp1' },
        { type: 'RelativeHumidity', minValue: 82, maxValue: 96, meanValue: 90.1, uom: 'P1' },
        { type: 'Temperature', exception: 'ALARM_CONDITION', time: '2026-06-04T09:20:00.000Z', value: 3.4, uom: 'CEL' },
      ],
    },
    { sensorMetadata: { deviceID: 'https://cold.example/id/device/6' } },
  ])
})

test.each([
  ['inRange', 'conformant'],
  ['outOfRange', 'non_conformant'],
  ['incomplete', undefined],
  ['noLimits', undefined],
  ['noData', undefined],
] as const)('the verdict %s is the outcome %s of an inspection', (verdict, disposition) => {
  const list = listOf({ ...whole, verdict }).filter(({ bizStep }) => bizStep === 'inspecting')
  expect(list.map((one) => one.disposition)).toEqual(disposition ? [disposition] : [])
})

test('a verdict needs the end of the shipment, and all of its devices', () => {
  for (const more of [{ endedAt: null }, { hiddenDevices: 1 }])
    expect(listOf({ ...whole, ...more }).some(({ bizStep }) => bizStep === 'inspecting')).toBe(false)
  expect(document({ ...whole, hiddenDevices: 2 })['iso:hiddenDevices']).toBe(2)
})

test('a second export has the same bytes; other readings of a day have another name', () => {
  expect(JSON.stringify(document(whole))).toBe(JSON.stringify(document(whole)))
  const before = new Set(listOf(whole).map(({ eventID }) => eventID))
  const late = listOf({ ...whole, days: [day('2026-06-04', 5, -38), day('2026-06-04', 6), day('2026-06-05')] })
  const others = late.filter(({ eventID }) => !before.has(eventID))
  expect(others.map(({ bizStep }) => bizStep)).toEqual(['transporting', 'inspecting'])
  const another = listOf(whole, { ...naming, companyId: 8 })
  expect(another.filter(({ eventID }) => before.has(eventID))).toEqual([])
})

test('an event that was corrected stays, and names the one that takes its place', () => {
  const events = [
    event('1', 'departed', '2026-06-03T16:00:00Z'),
    event('2', 'departed', '2026-06-04T16:00:00Z', { corrects: '1', recordedAt: at('2026-06-05T00:00:00Z') }),
  ]
  const [wrong, right] = told({ events })
  expect(wrong?.errorDeclaration).toEqual({
    ...{ declarationTime: '2026-06-05T00:00:00.000Z', reason: 'incorrect_data' },
    correctiveEventIDs: [right?.eventID],
  })
  expect(right?.errorDeclaration).toBeUndefined()
  const [gone, ...rest] = told({
    events: [events[0], event('2', 'milestoneWithdrawn', '2026-06-03T16:00:00Z', { corrects: '1' })].flatMap(
      (one) => one ?? [],
    ),
  })
  expect([gone?.errorDeclaration, rest]).toEqual([
    { declarationTime: '2026-06-26T00:00:00.000Z', reason: 'did_not_occur' },
    [],
  ])
})

const certified = { reportKey: 'a1', certificates: ['CAL 7/A'], protocol: 'T107-a', papers: ['x_Y-'] }

test('a verdict names what it rests on, where something is known', () => {
  const infoOf = (more: Partial<Shipped>) =>
    listOf({ ...whole, ...more }).map(
      ({ bizStep, certificationInfo }) => certificationInfo && [bizStep, certificationInfo],
    )
  expect(infoOf({ evidence: certified }).filter(Boolean)).toEqual([
    [
      'inspecting',
      [
        ...['https://cold.example/verify-report/a1', 'https://cold.example/id/calibration/CAL%207%2FA'],
        ...['https://cold.example/id/treatment/T107-a', 'ni:///sha-256;x_Y-'],
      ],
    ],
  ])
  expect(infoOf({}).filter(Boolean)).toEqual([])
  expect(infoOf({ evidence: certified, hiddenDevices: 1 }).filter(Boolean)).toEqual([])
  const [before, after] = [document(whole), document({ ...whole, evidence: certified })]
  expect(withdrawnEvents(before, after, changed).map(({ bizStep }) => bizStep)).toEqual(['inspecting'])
})

test('what a receiver has and is no longer true is withdrawn; never where devices are hidden', () => {
  const [before, after] = [
    document(whole),
    document({ ...whole, days: [day('2026-06-04', 5, -38), day('2026-06-05')] }),
  ]
  const list = withdrawnEvents(before, after, changed)
  expect(list.map(({ bizStep }) => bizStep)).toEqual(['transporting', 'inspecting'])
  expect(list[0]?.errorDeclaration).toMatchObject({
    reason: 'incorrect_data',
    correctiveEventIDs: [expect.any(String)],
  })
  expect(withdrawnEvents(before, before, changed)).toEqual([])
  expect(withdrawnEvents(before, { ...after, 'iso:hiddenDevices': 1 }, changed)).toEqual([])
})

test('an event that says something else after an edit takes the place of the one that a receiver has', () => {
  const [leg] = shipped().legs
  const renamed = document({ ...whole, legs: leg ? [{ ...leg, vesselName: 'Table Bay Spirit' }] : [] })
  const list = withdrawnEvents(document(whole), renamed, changed)
  expect(list.map(({ bizStep }) => bizStep)).toContain('departing')
  const instead = list.flatMap(
    ({ errorDeclaration }) => (errorDeclaration as { correctiveEventIDs: string[] }).correctiveEventIDs,
  )
  const told = new Map(renamed.epcisBody.eventList.map((one) => [one.eventID, one['iso:vessel']]))
  expect(new Set(instead.map((id) => told.get(id)))).toEqual(new Set(['Table Bay Spirit']))
  // Neither pallets nor readings know the vessel.
  expect(list.every((one) => one['iso:vessel'] === 'Cold Star')).toBe(true)
})

test('a shipment that is cancelled once it has departed is void; before that nothing was told', () => {
  const cancelled = event('9', 'cancelled', '2026-06-05T00:00:00Z')
  expect(told({ events: [cancelled] })).toEqual([])
  expect(told({ events: [...journey.slice(3, 4), cancelled] }).at(-1)).toMatchObject({
    ...{ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'void_shipping' },
  })
})

test('goods leave a container only where they were seen to go into it', () => {
  expect(told({ events: journey.slice(6) }).map(({ type }) => type)).toEqual(['ObjectEvent'])
})

test('plans, papers and empty containers are no events of goods', () => {
  const kinds = [
    'created',
    'changed',
    'rolledOver',
    'documentAdded',
    'emptyOut',
    'emptyReturned',
    'airNotified',
  ] as const
  expect(told({ events: kinds.map((kind, index) => event(String(index), kind, '2026-06-03T16:00:00Z')) })).toEqual([])
})

test.each([
  ['UTC', '2026-06-01T00:00:00Z', '+00:00'],
  ['Asia/Kolkata', '2026-06-01T00:00:00Z', '+05:30'],
  ['America/St_Johns', '2026-01-01T00:00:00Z', '-03:30'],
  ['Pacific/Kiritimati', '2026-06-01T00:00:00Z', '+14:00'],
  ['Europe/Amsterdam', '2026-01-01T00:00:00Z', '+01:00'],
])('clocks of %s', (zone, instant, offset) => {
  expect(offsetOf(at(instant), zone)).toBe(offset)
})

test('the time of a shipment is divided among its legs, each moment once', () => {
  const [leg] = shipped().legs
  if (!leg) throw new Error('no leg')
  const legs = [leg, { ...leg, id: '2', atd: null }, { ...leg, id: '3', atd: at('2026-06-10T00:00:00Z') }]
  const [start, now] = [at('2026-06-01T06:00:00Z'), at('2026-06-12T15:00:00Z')]
  expect(stretchesOf({ startedAt: start, endedAt: null, legs, events: [] }, now)).toEqual([
    { legId: '1', isMoving: false, from: start, to: at('2026-06-10T00:00:00Z') },
    { legId: '3', isMoving: false, from: at('2026-06-10T00:00:00Z'), to: at('2026-06-12T00:00:00Z') },
  ])
  expect(stretchesOf({ startedAt: null, endedAt: null, legs, events: [] }, now)).toEqual([])
})

const everyKind = () =>
  milestoneKinds.flatMap((kind, index) => [
    document({ ...whole, events: [...journey.slice(0, 1), event(String(index + 10), kind, '2026-06-20T00:00:00Z')] }),
  ])

test('our own checks find nothing in what we write, for every kind of milestone', () => {
  for (const one of [document(whole), ...everyKind()]) expect(faultsOf(one)).toEqual([])
})

test('no step is told that another one excludes, and each event has an id of ours', () => {
  const cancelled = document({ ...whole, events: [...journey, event('8', 'cancelled', '2026-06-20T00:00:00Z')] })
  const all = [document(whole), cancelled, ...everyKind()].flatMap(({ epcisBody }) => epcisBody.eventList)
  const steps = new Set(all.map(({ bizStep }) => bizStep))
  // By the vocabulary: arriving and accepting, or receiving; loading and departing, or shipping; sensors report where no other step goes on.
  for (const excluded of ['receiving', 'shipping', 'sensor_reporting']) expect(steps).not.toContain(excluded)
  for (const step of ['departing', 'arriving', 'accepting', 'transporting']) expect(steps).toContain(step)
  for (const { eventID } of all)
    expect(eventID).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
})

const several: Pick<Shipped, 'products'> = {
  products: [
    product('Oranges', { gtin, quantity: 800, quantityUnit: 'carton' }),
    product('Lemons', { quantity: 1.5, quantityUnit: 't' }),
  ],
}
const numbered: Partial<Shipped> = { origin: { ...shipped().origin, gln: '6001234500025' } }

/** A document with its first event of a kind changed. */
function broken(step: string, change: (event: EpcisEvent) => object): unknown {
  const good = document(whole)
  let isDone = false
  const eventList = good.epcisBody.eventList.map((one) => {
    if (isDone || one.bizStep !== step) return one
    isDone = true
    return { ...one, ...change(one) }
  })
  return { ...good, epcisBody: { eventList } }
}
const report = (more: object) => () => ({
  sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 1, uom: 'CEL', ...more }] }],
})
/** The schema takes these although they are wrong. */
const takenByTheSchema: [string, unknown, string][] = [
  ['no events', { ...document(whole), epcisBody: { eventList: [] } }, 'events'],
  ['an aggregation without its parent', broken('loading', () => ({ parentID: undefined })), 'parent'],
  ['a measurement with a prefix', broken('transporting', report({ type: 'gs1:Temperature' })), 'sensor'],
  ['a unit that is none', broken('transporting', report({ uom: 'bananas' })), 'unit'],
  ['a verdict on the way', broken('transporting', () => ({ disposition: 'conformant' })), 'disposition'],
]
/** The schema refuses these. */
const refusedByTheSchema: [string, unknown, string][] = [
  ['a measurement in small letters', broken('transporting', report({ type: 'temperature' })), 'sensor'],
  ['Z as an offset', broken('departing', () => ({ eventTimeZoneOffset: 'Z' })), 'offset'],
  ['an offset of 15 hours', broken('departing', () => ({ eventTimeZoneOffset: '+15:00' })), 'offset'],
  [
    'a step in the older form',
    broken('departing', () => ({ bizStep: 'urn:epcglobal:cbv:bizstep:departing' })),
    'bizStep',
  ],
  ['a step with a hyphen', broken('departing', () => ({ bizStep: 'sensor-reporting' })), 'bizStep'],
  ['an offset beyond the last zone', broken('departing', () => ({ eventTimeZoneOffset: '+14:30' })), 'offset'],
  ['a place of a sensor without a prefix', broken('transporting', report({ component: 'pulp' })), 'sensor'],
  ['an exception of its own', broken('transporting', report({ exception: 'TOO_WARM' })), 'sensor'],
  ['a number in quotes', broken('transporting', report({ value: '1' })), 'number'],
  ['a time without a zone', broken('departing', () => ({ eventTime: '2026-06-03T16:00:00' })), 'time'],
  ['no context', { ...document(whole), '@context': undefined }, 'context'],
  ['no date', { ...document(whole), creationDate: undefined }, 'time'],
]

test.each([...takenByTheSchema, ...refusedByTheSchema])('our own checks refuse %s', (_, wrong, fault) => {
  expect(faultsOf(wrong).map((one) => one.fault)).toContain(fault)
})

test.each([
  ['part of a position', { type: 'Angle', uom: 'DD', component: 'latitude' }],
  ['place of its own', { component: 'acme:door' }],
  ['exception', { exception: 'ERROR_CONDITION' }],
])('a sensor may tell a %s', (_, more) => {
  expect(faultsOf(broken('transporting', report(more)))).toEqual([])
})

test('an id that comes twice is refused, unless one of the two withdraws the other', () => {
  const good = document(whole)
  const [first] = good.epcisBody.eventList
  const twice = (one: object) => ({ ...good, epcisBody: { eventList: [...good.epcisBody.eventList, one] } })
  expect(faultsOf(twice(first ?? {})).map(({ fault }) => fault)).toEqual(['doubled'])
  const errorDeclaration = { declarationTime: '2026-06-26T00:00:00Z', reason: 'incorrect_data' }
  expect(faultsOf(twice({ ...first, errorDeclaration }))).toEqual([])
})

test.each([
  null,
  [],
  'text',
  7,
  {},
  { type: 'EPCISDocument', epcisBody: [] },
  { type: 'EPCISDocument', epcisBody: { eventList: [null, [], 1] } },
])('hostile input %j is refused, and breaks nothing', (hostile) => {
  expect(faultsOf(hostile).length).toBeGreaterThan(0)
})

describe.each(epcisSchemas)('the schema of EPCIS 2.0 in %s', (path) => {
  const faults = epcisValidator(path)
  const isValid = (document: unknown) => faults(document).length === 0

  test('takes what we write of every kind of milestone, with numbers of GS1 and without, corrected and void', () => {
    const corrected = {
      ...whole,
      events: [...journey, event('8', 'departed', '2026-06-04T16:00:00Z', { corrects: '4' })],
    }
    const documents = [
      ...everyKind(),
      document({ ...whole, events: [...journey, event('8', 'cancelled', '2026-06-20T00:00:00Z')] }),
      document(corrected),
      ...[gtin, '06001234500019'].map((one) => document({ ...whole, ...oranges(one) })),
      document({ ...whole, ...oranges(gtin), devices: [], pallets: [], lot: 'LOT 7' }),
      document({ ...whole, evidence: certified }),
      document({ ...whole, ...several, ...numbered }),
      epcisOf(
        { ...naming, gs1Prefix: '6001234', gln: '6001234500001' },
        shipped({ ...whole, hiddenDevices: 1 }),
        changed,
      ),
    ]
    for (const one of documents) expect(faults(one)).toEqual([])
  })

  test('refuses a field of our own without its prefix, which we therefore never write', () => {
    expect(isValid(broken('departing', () => ({ vessel: 'Cold Star' })))).toBe(false)
    expect(isValid(broken('departing', () => ({ 'iso:vessel': 'Cold Star' })))).toBe(true)
  })

  test('takes what only our own checks refuse, and refuses the rest', () => {
    expect(takenByTheSchema.map(([name, wrong]) => [name, isValid(wrong)])).toEqual(
      takenByTheSchema.map(([name]) => [name, true]),
    )
    expect(refusedByTheSchema.map(([name, wrong]) => [name, isValid(wrong)])).toEqual(
      refusedByTheSchema.map(([name]) => [name, false]),
    )
  })
})
