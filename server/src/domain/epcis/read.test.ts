import { expect, test } from 'vitest'
import { gs1Digit } from '../check-digits.ts'
import { readEpcis } from './read.ts'
import { glnsIn, type KnownPlaces } from './read-places.ts'

const place = (code: string) => `https://cold.example/id/unlocode/${code}`

/** An event of a container, at a port or nowhere that is known. */
const event = (bizStep: string, day: string, port: string | null, more: object = {}) => ({
  ...{ type: 'ObjectEvent', action: 'OBSERVE', bizStep, eventTime: `${day}T16:00:00Z`, eventTimeZoneOffset: '+02:00' },
  ...{ epcList: ['urn:epc:id:bic:CSQU3054383'], ...(port && { readPoint: { id: place(port) } }) },
  ...more,
})
const bound = (port: string) => ({ destinationList: [{ type: 'location', destination: place(port) }] })
const read = (...eventList: object[]) => readEpcis({ epcisBody: { eventList } })

const lorry = event('departing', '2026-06-01', null)
const first = event('departing', '2026-06-03', 'ZACPT', { 'iso:vessel': 'Cape Breeze', ...bound('MAPTM') })

test('a lorry that brought the goods to the port is not the departure of the vessel', () => {
  const { draft } = read(
    lorry,
    event('arriving', '2026-06-02', 'ZACPT'),
    first,
    event('arriving', '2026-06-20', 'MAPTM'),
  )
  expect(draft).toMatchObject({
    departureOn: '2026-06-03',
    legs: [
      { mode: 'sea', fromPort: 'ZACPT', toPort: 'MAPTM', vesselName: 'Cape Breeze', eta: '2026-06-20T16:00:00.000Z' },
    ],
  })
})

test('each vessel is a leg, which ends where the next one begins', () => {
  const second = event('departing', '2026-06-22', 'MAPTM', { 'iso:vessel': 'Maas Star', 'iso:imo': '9811000' })
  const { draft } = read(
    ...[event('arriving', '2026-06-28', 'NLRTM'), second, first, lorry, event('arriving', '2026-06-20', 'MAPTM')],
  )
  expect(draft?.legs).toMatchObject([
    { fromPort: 'ZACPT', toPort: 'MAPTM', vesselName: 'Cape Breeze', imo: null, eta: '2026-06-20T16:00:00.000Z' },
    { fromPort: 'MAPTM', toPort: 'NLRTM', vesselName: 'Maas Star', imo: '9811000', eta: '2026-06-28T16:00:00.000Z' },
  ])
  expect(draft?.legs.map(({ containerNo }) => containerNo)).toEqual(['CSQU3054383', 'CSQU3054383'])
})

test('a vessel that is named by its number has that number', () => {
  const { draft } = read({ ...first, 'iso:vessel': 'IMO9074729' })
  expect(draft?.legs).toMatchObject([{ vesselName: null, imo: '9074729' }])
})

test('a departure that is told twice is one leg, and one without a name is a leg, too', () => {
  expect(read(first, { ...first, eventTime: '2026-06-03T18:00:00Z' }).draft?.legs).toHaveLength(1)
  expect(read(lorry).draft?.legs).toMatchObject([{ fromPort: null, vesselName: null, etd: '2026-06-01T16:00:00.000Z' }])
  expect(read(event('arriving', '2026-06-20', 'NLRTM')).draft?.legs).toMatchObject([{ toPort: 'NLRTM', etd: null }])
})

test('a document of one trade item proposes it, and its lot, however they are written', () => {
  const packed = (epcClass: string, more: object = {}) => ({
    ...event('packing', '2026-06-01', null, more),
    ...{ type: 'AggregationEvent', parentID: 'urn:epc:id:sscc:6001234.1000000001', childQuantityList: [{ epcClass }] },
  })
  const gtin = '06001234500018'
  for (const epcClass of [`https://id.gs1.org/01/${gtin}/10/7%2FA`, 'urn:epc:class:lgtin:6001234.050001.7/A'])
    expect(read(packed(epcClass))).toMatchObject({ gtins: [gtin], lots: ['7/A'], draft: { gtin, lot: '7/A' } })
  const spaced = read(packed(`https://id.gs1.org/01/${gtin}`, { 'iso:lot': 'LOT 7' }))
  expect([spaced.draft?.gtin, spaced.draft?.lot, spaced.unknown]).toEqual([gtin, 'LOT 7', []])
  expect(
    read(event('arriving', '2026-06-20', 'NLRTM', { epcList: ['urn:epc:id:sgtin:6001234.050001.9'] })).gtins,
  ).toEqual([gtin])
  // The check digit does not hold: it is told, and not proposed.
  const wrong = read(packed('https://id.gs1.org/01/06001234500019/10/%E0%A4'))
  expect([wrong.gtins, wrong.draft?.gtin, wrong.lots]).toEqual([['06001234500019'], null, ['%E0%A4']])
})

test('another name with the same number is the same vessel', () => {
  const named = (vessel: string, hour: number) => ({
    ...{ ...first, 'iso:vessel': vessel, 'iso:imo': '9811000', eventTime: `2026-06-03T${hour}:00:00Z` },
  })
  expect(read(named('Cape Breeze', 16), named('Table Bay Spirit', 18)).draft?.legs).toMatchObject([{ imo: '9811000' }])
})

const gtins = ['06001234500018', '06291041500213'] as const
const goods = (bizStep: string, epcClass: string, more: object = {}) => ({
  ...event(bizStep, '2026-06-01', null),
  ...{ type: 'AggregationEvent', action: 'ADD', parentID: 'urn:epc:id:sscc:6001234.1000000001' },
  childQuantityList: [{ epcClass, ...more }],
})
const link = (gtin: string) => `https://id.gs1.org/01/${gtin}`

test('several products are proposed, each with its number, its name and how much of it there is', () => {
  const { draft } = read(
    { ...goods('packing', link(gtins[0]), { quantity: 60 }), 'iso:product': 'Oranges' },
    goods('packing', link(gtins[0]), { quantity: 40 }),
    // Told again as a whole: it adds nothing.
    { ...event('shipping', '2026-06-02', null), quantityList: [{ epcClass: link(gtins[0]), quantity: 500 }] },
    {
      ...event('shipping', '2026-06-02', null),
      quantityList: [{ epcClass: link(gtins[1]), quantity: 1.5, uom: 'TNE' }],
    },
    { ...goods('packing', 'https://cold.example/id/shipment/1/product/Limes/lot/all'), 'iso:product': 'Limes' },
  )
  expect(draft).toMatchObject({
    ...{ product: 'Oranges', gtin: gtins[0], quantity: 100, quantityUnit: 'piece' },
    furtherProducts: [
      { product: 'Limes', gtin: null, quantity: null, quantityUnit: null },
      { product: null, gtin: gtins[1], quantity: 1.5, quantityUnit: 't' },
    ],
  })
})

test('an amount in a unit that is not ours is left out, and a product is there once', () => {
  const { draft } = read(
    { ...goods('packing', link(gtins[0]), { quantity: 3, uom: 'ONZ' }), 'iso:product': 'Oranges' },
    { ...goods('packing', 'https://cold.example/id/shipment/1/lot/all', { quantity: -1 }), 'iso:product': 'Oranges' },
  )
  expect(draft).toMatchObject({ product: 'Oranges', gtin: gtins[0], quantity: null, quantityUnit: null })
  expect(draft?.furtherProducts).toEqual([])
  const many = Array.from({ length: 30 }, (_, n) => ({ ...goods('packing', 'urn:x:y'), 'iso:product': `Product ${n}` }))
  expect(read(...many).draft?.furtherProducts).toHaveLength(19)
})

const numberOf = (digits: string) => `${digits}${gs1Digit(digits)}`
const [farm, quay, store] = [numberOf('600123450001'), numberOf('600123450002'), numberOf('871234500003')]
const known: KnownPlaces = {
  origins: new Map([[farm, { id: '1', name: 'Citrusdal', country: 'ZA' }]]),
  destinations: new Map([[store, { id: '2', name: 'Maas Fruit', country: 'NL' }]]),
  ports: new Map([[quay, 'ZACPT']]),
}
const at = (id: string) => ({ readPoint: { id } })
const gs1Place = (number: string) => `https://id.gs1.org/414/${number}`

test.each([
  ['links', gs1Place],
  ['links with an extension', (number: string) => `${gs1Place(number)}/254/7`],
  ['URNs', (number: string) => `urn:epc:id:sgln:${number.slice(0, 7)}.${number.slice(7, 12)}.0`],
])('places are found by their numbers, written as %s: the ends of the way, and the ports of its legs', (_, write) => {
  const events = [
    { ...event('packing', '2026-06-01', null), ...at(write(farm)) },
    { ...first, ...at(write(quay)), destinationList: [{ type: 'location', destination: write(store) }] },
    { ...event('accepting', '2026-06-25', null), bizLocation: { id: write(store) } },
  ]
  const document = { epcisBody: { eventList: events } }
  expect(glnsIn(events)).toEqual([farm, quay, store])
  expect(readEpcis(document, known).draft).toMatchObject({
    ...{ origin: { id: '1', name: 'Citrusdal' }, destination: { id: '2', name: 'Maas Fruit' } },
    legs: [{ fromPort: 'ZACPT', toPort: null }],
  })
  expect(readEpcis(document).draft).toMatchObject({ origin: null, destination: null, legs: [{ fromPort: null }] })
})

test('a number whose check digit does not hold is no place, nor is an origin a destination', () => {
  const wrong = `${farm.slice(0, 12)}${(Number(farm[12]) + 1) % 10}`
  expect(glnsIn([at(gs1Place(wrong)), at('urn:epc:id:sgln:600123.45.0'), at('geo:1,2'), { readPoint: 7 }])).toEqual([])
  const eventList = [{ ...event('accepting', '2026-06-25', null), ...at(gs1Place(farm)) }]
  expect(readEpcis({ epcisBody: { eventList } }, known).draft).toMatchObject({ origin: { id: '1' }, destination: null })
})

test('a text that is too long is not cut within a sign', () => {
  const papers = [{ type: 'po', bizTransaction: `po:${'x'.repeat(79)}🍊` }]
  const more = { bizTransactionList: papers, 'iso:product': `${'x'.repeat(119)}🍊`, 'iso:lot': `${'x'.repeat(59)}🍊` }
  const { draft } = read(event('arriving', '2026-06-20', 'NLRTM', more))
  expect(draft).toMatchObject({ reference: 'x'.repeat(79), product: 'x'.repeat(119), lot: 'x'.repeat(59) })
})
