import type { CheckedOrder, GivenStop, NewOrder } from '@isotherm/contract/new-order.ts'
import type { PriceSummary } from '@isotherm/contract/orders.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import type { CarriedDevice, CarrierRow } from './check-queries.ts'
import type { OrderFacts } from './draft-facts.ts'
import { priceDraft, sumsOf } from './draft-price.ts'
import { checkShape } from './draft-shape.ts'
import { timesOf } from './draft-times.ts'
import { warningsOf } from './order-warnings.ts'
import { type PlacedStop, placedStop } from './stop-times.ts'
import { phonesOf } from './typed-phones.ts'

/** An order that may be made as it is, where it has no faults and no refusals. */
export interface OrderDraft {
  input: NewOrder
  pickup: PlacedStop
  stops: PlacedStop[]
  pickupAt: Date | null
  deliverBy: Date
  windows: { from: Date | null; by: Date | null }[]
  /** E.164: of the sender, and of each receiver. */
  phones: { sender: string | null; receivers: (string | null)[] }
  /** Without the premium of an insurance. */
  price: PriceSummary | null
  currency: string | null
  worth: number
  checked: CheckedOrder
  /** The reasons against it that lie in what is chosen: DEVICE_DECOMMISSIONED, DRIVER_INACTIVE or VEHICLE_UNAVAILABLE, each at its field. */
  refusals: { path: string; error: AppError }[]
}

/** A new order as it is to be stored. Its faults are those of the fields; one that has some must not be stored. */
export function draftOrder(facts: OrderFacts, input: NewOrder, faults: Faults): OrderDraft {
  const placed = (stop: GivenStop) => placedStop(stop, facts.company.timezone, facts.countryAt)
  const pickup = placed(input.pickup)
  const stops = input.receivers.map(({ stop }) => placed(stop))
  const times = timesOf(facts.now, input, pickup, stops, faults)
  checkShape(facts, input, pickup, stops, faults)
  const phones = phonesOf(facts, input, { pickup, stops }, faults)
  checkContacts(facts, input, faults)
  const devices = checkDevices(facts, input, faults)
  const driver = carrierOf(facts.drivers, input.driverId, 'driverId', faults)
  const vehicle = carrierOf(facts.vehicles, input.vehicleId, 'vehicleId', faults)
  const sums = sumsOf(input, pickup, stops)
  const { price, currency } = priceDraft(facts, input, { pickup, stops, ...sums }, faults)
  const warnings = warningsOf({
    ...{ input, now: facts.now, ...times, pickup, stops, devices, driver, vehicle, weightG: sums.weightG },
  })
  return {
    ...{ input, pickup, stops, ...times, phones, price, currency, worth: sums.worth },
    checked: {
      ...{ warnings, price, deliverBy: times.deliverBy.toISOString(), currency, ...sums },
      pickup: shown(pickup),
      receivers: stops.map(shown),
    },
    refusals: refusalsOf(input, devices, driver, vehicle),
  }
}

const shown = ({ timezone, country }: PlacedStop) => ({ timezone, country: country ?? null })

function checkContacts({ contacts }: OrderFacts, input: NewOrder, faults: Faults): void {
  const named = [
    { path: 'sender.contactId', id: input.sender.contactId },
    ...input.receivers.map(({ contactId: id }, index) => ({ path: `receivers.${index}.contactId`, id })),
  ]
  for (const { path, id } of named) if (id !== null && !contacts.has(id)) faults.add(path, 'rule.unknownItem')
}

/** The devices of the order that the person sees. */
function checkDevices({ devices: known }: OrderFacts, { devices, receivers }: NewOrder, faults: Faults) {
  const ids = devices.map(({ id }) => id)
  for (const [index, { id, receiver }] of devices.entries()) {
    if (!known.has(id)) faults.add(`devices.${index}.id`, 'rule.unknownItem')
    if (known.get(id)?.is_sample) faults.add(`devices.${index}.id`, 'rule.sampleNotSent')
    if (ids.indexOf(id) < index) faults.add(`devices.${index}.id`, 'rule.deviceTwice')
    if (receiver !== null && receiver >= receivers.length) faults.add(`devices.${index}.receiver`, 'rule.unknownItem')
  }
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? [])
}

function carrierOf(known: ReadonlyMap<string, CarrierRow>, id: string | null, path: string, faults: Faults) {
  if (id === null) return undefined
  const row = known.get(id)
  if (!row) faults.add(path, 'rule.unknownItem')
  return row
}

function refusalsOf(
  input: NewOrder,
  devices: readonly CarriedDevice[],
  driver: CarrierRow | undefined,
  vehicle: CarrierRow | undefined,
): OrderDraft['refusals'] {
  const gone = new Set(devices.filter(({ is_decommissioned }) => is_decommissioned).map(({ id }) => String(id)))
  return [
    ...input.devices.flatMap(({ id }, index) =>
      gone.has(id) ? [{ path: `devices.${index}.id`, error: new AppError('DEVICE_DECOMMISSIONED') }] : [],
    ),
    ...(driver?.is_usable === false
      ? [{ path: 'driverId', error: new AppError('DRIVER_INACTIVE', { name: driver.name }) }]
      : []),
    ...(vehicle?.is_usable === false
      ? [{ path: 'vehicleId', error: new AppError('VEHICLE_UNAVAILABLE', { name: vehicle.name }) }]
      : []),
  ]
}
