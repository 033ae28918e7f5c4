import { epcisOf } from '../src/domain/epcis/epcis.ts'
import type { EpcisEvent } from '../src/domain/epcis/events.ts'
import type { Naming, Shipped, ShippedDevice, ShippedEvent, ShippedProduct } from '../src/domain/epcis/shipped.ts'
import { uuid5 } from '../src/platform/uuid5.ts'

export const naming: Naming = {
  ...{ companyId: 7, publicUrl: 'https://cold.example', gs1Prefix: null, gln: null, uuidOf: uuid5 },
  portGlns: new Map(),
}
export const at = (text: string) => new Date(text)
export const end = (id: string, name: string, timezone: string) => ({
  ...{ id, name, region: null, country: 'ZA', personOfContact: null, companyName: null, address: null },
  ...{ gln: null, glnUnchecked: false, lat: -33.906, lon: 18.435, radiusM: null, timezone },
})
export const product = (name: string, more: Partial<ShippedProduct> = {}): ShippedProduct => ({
  ...{ product: name, gtin: null, quantity: null, quantityUnit: null },
  ...more,
})
export const oranges = (gtin: string | null): Pick<Shipped, 'products'> => ({
  products: [product('Oranges', { gtin })],
})
export const sscc = '160012345000000015'
export const device = (id: number, more: Partial<ShippedDevice> = {}): ShippedDevice => ({
  ...{ id, place: 'pulp1', sscc: null, joinedAt: null, leftAt: null },
  ...more,
})
export const shipped = (more: Partial<Shipped> = {}): Shipped => ({
  ...{ id: '4711', number: 'S-000001', ...oranges(null), lot: 'L2606A', partnerId: '31' },
  origin: end('1', 'Citrusdal', 'Africa/Johannesburg'),
  destination: end('2', 'Rotterdam', 'Europe/Amsterdam'),
  ...{ startedAt: at('2026-06-01T06:00:00Z'), endedAt: at('2026-06-25T10:20:00Z'), verdict: 'inRange' },
  evidence: { reportKey: null, certificates: [], protocol: null, papers: [] },
  legs: [
    {
      ...{ id: '1', mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM', fromZone: 'Africa/Johannesburg' },
      ...{ toZone: 'Europe/Amsterdam', vesselName: 'Cold Star', imo: '9074729', voyage: '623N', flightNumber: null },
      ...{ awb: null, containerNo: 'CSQU3054383', containerUnchecked: false, sealNo: 'ML1', atd: null },
    },
  ],
  devices: [device(5, { sscc }), device(6, { place: 'air' })],
  pallets: [sscc],
  ...{ hiddenDevices: 0, events: [], days: [], beyond: [] },
  ...more,
})
export const event = (
  id: string,
  kind: ShippedEvent['kind'],
  occurredAt: string,
  more: Partial<ShippedEvent> = {},
) => ({
  ...{ id, kind, occurredAt: at(occurredAt), zone: 'Africa/Johannesburg', recordedAt: at('2026-06-26T00:00:00Z') },
  ...{ legId: '1', deviceId: null, portCode: null, lat: null, lon: null, corrects: null },
  ...more,
})
export const day = (from: string, deviceId = 5, mean = -40) => ({
  ...{
    stretch: 2,
    legId: '1',
    isMoving: true,
    deviceId,
    from: at(`${from}T00:05:00Z`),
    to: at(`${from}T23:55:00Z`),
    readings: 144,
  },
  ...{ temperature: { min: -90, max: 340, mean, n: 144 }, humidity: { min: 8200, max: 9600, mean: 9010, n: 144 } },
})
export const changed = at('2026-06-26T00:00:00Z')
export const document = (more: Partial<Shipped> = {}, name = naming) => epcisOf(name, shipped(more), changed)
export const listOf = (more: Partial<Shipped> = {}, name = naming): EpcisEvent[] =>
  document(more, name).epcisBody.eventList
export const journey = [
  event('1', 'stuffed', '2026-06-02T05:20:00Z'),
  event('2', 'gateIn', '2026-06-02T12:00:00Z'),
  event('3', 'loaded', '2026-06-03T08:00:00Z'),
  event('4', 'departed', '2026-06-03T16:00:00Z', { portCode: 'ZACPT' }),
  event('5', 'arrived', '2026-06-24T08:00:00Z', { zone: 'Europe/Amsterdam' }),
  event('6', 'discharged', '2026-06-25T07:00:00Z', { zone: 'Europe/Amsterdam' }),
  event('7', 'delivered', '2026-06-25T10:15:00Z', { zone: 'Europe/Amsterdam', lat: 51.95, lon: 4.05 }),
]
export const whole: Partial<Shipped> = {
  events: journey,
  days: [day('2026-06-04'), day('2026-06-04', 6), day('2026-06-05')],
  beyond: [{ deviceId: 5, at: at('2026-06-04T09:20:00Z'), value: 340 }],
}
