import { sharedRange } from '@isotherm/contract/shipment-products.ts'
import { ShipmentDetails, type ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { expect, test } from 'vitest'
import {
  betterTerm,
  bodyOf,
  emptyLeg,
  emptyShipment,
  leavesBeforeLoading,
  rangesOf,
  valuesOfShipment,
} from './shipment-values.ts'

const none = {
  imo: null,
  houseAwb: null,
  awb: null,
  flightNumber: null,
  vesselName: null,
  voyage: null,
  containerNo: null,
}
const sea: ShipmentLeg = {
  ...{
    ...none,
    id: '7',
    sequence: 1,
    mode: 'sea',
    fromPort: 'ZACPT',
    toPort: null,
    fromName: 'Cape Town',
    toName: 'Quay 4',
  },
  ...{
    fromZone: 'Africa/Johannesburg',
    toZone: 'Europe/Amsterdam',
    vesselName: 'Orion',
    imo: '9074729',
    voyage: '208N',
  },
  ...{ carrierCode: 'MAEU', carrierName: 'Maersk', bookingNumber: 'B 1', containerNo: 'CSQU3054384', sealNo: 'S 1' },
  ...{
    containerUnchecked: true,
    awbUnchecked: false,
    imoUnchecked: true,
    etd: '2026-11-20T18:00:00.000Z',
    eta: '2026-12-06T18:00:00.000Z',
  },
  ...{ plannedEtd: null, plannedEta: null, atd: null, ata: null, rolledAt: null },
}
const air: ShipmentLeg = {
  ...{
    ...sea,
    ...none,
    id: '8',
    sequence: 2,
    mode: 'air',
    carrierCode: 'LH',
    carrierName: 'KLM',
    flightNumber: 'KL592',
  },
  ...{ awb: '07412345675', houseAwb: 'H 1', containerUnchecked: false, imoUnchecked: false },
}
const shipment = ShipmentDetails.partial().parse({
  legs: [sea, air],
  logistics: 'external',
  product: 'Oranges',
  ...{ gtin: '06001234500019', gtinUnchecked: true, minC: 2, maxC: 8 },
  furtherProducts: [
    {
      ...{ product: 'Lemons', variety: 'Eureka', hsCode: '080550', gtin: null, gtinUnchecked: false },
      ...{ quantity: 1200.25, quantityUnit: 'kg', minC: 6, maxC: null },
    },
  ],
  devices: [],
})
const valuesOf = () =>
  valuesOfShipment({
    ...shipment,
    ...{
      partner: null,
      origin: { id: '1' },
      destination: { id: '2' },
      grossWeightG: null,
      budget: { aboveC: 4, aboveMinutes: 90, neverAboveC: 8, belowC: null, belowMinutes: null, neverBelowC: null },
    },
  } as ShipmentDetails)

test('a leg that is saved as it was keeps everything that it has', () => {
  const { legs } = bodyOf(valuesOf())
  for (const [index, leg] of [sea, air].entries()) {
    const { sequence: _s, plannedEtd: _pd, plannedEta: _pa, atd: _d, ata: _a, rolledAt: _r, etd, eta, ...kept } = leg
    const given = Object.entries(kept).filter(([, value]) => value !== null && value !== false)
    expect(legs[index]).toMatchObject({
      ...Object.fromEntries(given),
      etd: expect.any(String),
      eta: expect.any(String),
    })
    expect([etd, eta].every(Boolean)).toBe(true)
  }
})

test('a number that somebody insists on stays one', () => {
  expect(bodyOf(valuesOf())).toMatchObject({ gtin: '06001234500019', gtinUnchecked: true })
  expect(bodyOf({ ...valuesOf(), gtin: '' })).not.toHaveProperty('gtinUnchecked')
})

test('its products come back as they were, and what they share is worked out of what is typed', () => {
  const values = valuesOf()
  const { furtherProducts } = bodyOf(values)
  expect(furtherProducts).toEqual([
    {
      ...{ product: 'Lemons', variety: 'Eureka', hsCode: '080550', gtin: null },
      ...{ quantity: 1200.25, quantityUnit: 'kg', minC: 6, maxC: null },
    },
  ])
  expect(sharedRange(rangesOf(values))).toMatchObject({ minC: 6, maxC: 8, crossed: null })
  expect(sharedRange(rangesOf({ ...values, maxC: '5' })).crossed).toEqual({ low: 1, high: 0 })
  expect(bodyOf(emptyShipment())).toMatchObject({ furtherProducts: [], quantity: null, quantityUnit: null, minC: null })
})

test('its budget comes back as it was, in minutes', () => {
  expect(bodyOf(valuesOf()).budget).toMatchObject({ aboveC: 4, aboveMinutes: 90, neverAboveC: 8, belowC: null })
  expect(bodyOf(emptyShipment()).budget).toBeNull()
})

test('what belonged to another flight or another place goes with it', () => {
  const values = valuesOf()
  const [, flight] = values.legs
  if (!flight) throw new Error('no flight')
  Object.assign(flight, { flightNumber: 'ET 904', toName: 'Schiphol' })
  const leg = bodyOf(values).legs[1]
  expect(leg).toMatchObject({ id: '8', flightNumber: 'ET 904', fromZone: 'Africa/Johannesburg' })
  expect([leg?.carrierCode, leg?.toZone]).toEqual([undefined, undefined])
})

test('a term made for ships is asked about where a container or no ship carries the goods', () => {
  const term = (incoterm: string, leg: object) =>
    betterTerm({ ...emptyShipment(), incoterm, legs: [{ ...emptyLeg('road') }, { ...emptyLeg('sea'), ...leg }] })
  expect(term('FOB', { containerNo: 'CSQU3054383' })).toBe('FCA')
  expect(term('CIF', { mode: 'air' })).toBe('CIP')
  expect([term('FOB', {}), term('FCA', { mode: 'air' }), term('', {})]).toEqual([undefined, undefined, undefined])
})

test('a departure before the loading date is asked about', () => {
  const values = (etd: string, loadingOn: string) => ({ ...emptyShipment(), loadingOn, legs: [{ ...emptyLeg(), etd }] })
  expect(leavesBeforeLoading(values('2026-11-19T23:00', '2026-11-20'))).toBe(true)
  for (const [etd, day] of [
    ['2026-11-20T00:00', '2026-11-20'],
    ['', '2026-11-20'],
    ['2026-11-19T23:00', ''],
  ] as const)
    expect(leavesBeforeLoading(values(etd, day))).toBe(false)
})
