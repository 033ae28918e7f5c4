import { orderFault } from '@isotherm/contract/common.ts'
import type { CheckedOrder, NewOrder, OrderWarning } from '@isotherm/contract/new-order.ts'
import { orderLimits, type PriceSummary } from '@isotherm/contract/orders.ts'
import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { type CompanyRow, findCompany } from '../../core/company/company.ts'
import { currencyOf, dispatchSettingsOf } from '../../core/orders/dispatch-settings.ts'
import { fittingPlan, premiumOf, priceWithPremium } from '../../core/orders/insurance.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import { priceOf } from '../../domain/order-price.ts'
import { timeAtPlace } from '../../domain/place-time.ts'
import { distanceM } from '../../domain/sphere.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { Faults } from '../../platform/errors/faults.ts'
import { type CarriedDevice, carriedDevices, findDriver, findVehicle, knownContacts } from './check-queries.ts'
import { warningsOf } from './order-warnings.ts'
import { type PlacedStop, placedStop } from './stop-times.ts'
import { phonesOf } from './typed-phones.ts'

/** An order that may be made as it is: every check is passed. */
export interface OrderDraft {
  input: NewOrder
  pickup: PlacedStop
  stops: PlacedStop[]
  pickupAt: Date | null
  deliverBy: Date
  windows: { from: Date | null; by: Date | null }[]
  /** E.164: of the sender, and of each receiver. */
  phones: { sender: string | null; receivers: (string | null)[] }
  deviceIds: number[]
  /** Without the premium of an insurance. */
  price: PriceSummary | null
  currency: string | null
  worth: number
  checked: CheckedOrder
}

/**
 * Checks an order before it is made or changed. Throws VALIDATION with every fault of its fields; else DEVICE_DECOMMISSIONED, DRIVER_INACTIVE,
 * VEHICLE_UNAVAILABLE or PLAN_NOT_FITTING.
 */
export async function draftOrder(ctx: Context, input: NewOrder): Promise<OrderDraft> {
  const company = await findCompany(ctx.tx, ctx.companyId)
  const faults = new Faults()
  const pickup = placedStop(input.pickup, company.timezone)
  const stops = input.receivers.map(({ stop }) => placedStop(stop, company.timezone))
  const times = timesOf(ctx, input, pickup, stops, faults)
  checkShape(ctx, input, pickup, stops, faults)
  const phones = phonesOf(ctx, input, company, { pickup, stops }, faults)
  await checkContacts(ctx, input, faults)
  const devices = await checkDevices(ctx, input, faults)
  const driver = await found(ctx, input.driverId, findDriver, () => faults.add('driverId', 'rule.unknownItem'))
  const vehicle = await found(ctx, input.vehicleId, findVehicle, () => faults.add('vehicleId', 'rule.unknownItem'))
  const sums = sumsOf(input, pickup, stops)
  const { price, currency } = await priced(ctx, input, company, { pickup, stops, ...sums }, faults)
  faults.throwIfAny()
  if (devices.some(({ is_decommissioned }) => is_decommissioned)) throw new AppError('DEVICE_DECOMMISSIONED')
  if (driver?.is_usable === false) throw new AppError('DRIVER_INACTIVE', { name: driver.name })
  if (vehicle?.is_usable === false) throw new AppError('VEHICLE_UNAVAILABLE', { name: vehicle.name })
  const insured = await insuredPrice(ctx, input, { price, currency, pickup, stops, worth: sums.worth })
  const warnings: OrderWarning[] = warningsOf({
    ...{ input, now: ctx.clock.now(), ...times, pickup, stops, devices, driver, vehicle, weightG: sums.weightG },
    planLeadHours: insured.leadHours,
  })
  return {
    ...{ input, pickup, stops, ...times, phones, price, currency, worth: sums.worth },
    deviceIds: input.devices.map(({ id }) => Number(id)),
    checked: {
      ...{ warnings, price: insured.price, deliverBy: times.deliverBy.toISOString(), currency, ...sums },
      pickup: shown(pickup),
      receivers: stops.map(shown),
    },
  }
}

const shown = ({ timezone, country }: PlacedStop) => ({ timezone, country: country ?? null })

function timesOf(ctx: Context, input: NewOrder, pickup: PlacedStop, stops: readonly PlacedStop[], faults: Faults) {
  const at = (path: string, given: string | null, zone: string): Date | null => {
    const time = given === null ? null : timeAtPlace(given, zone)
    if (given !== null && time === null) faults.add(path, 'rule.localTimeGap', { zone })
    return time
  }
  const pickupAt = at('pickupAt', input.pickupAt, pickup.timezone)
  const now = ctx.clock.now()
  const last = stops.at(-1) ?? pickup
  const deliverBy = at('deliverBy', input.deliverBy, last.timezone) ?? now
  if (deliverBy < now) faults.add('deliverBy', 'rule.deliveryInPast')
  const fault = pickupAt && orderFault(pickupAt.getTime(), deliverBy.getTime())
  if (fault) faults.add('pickupAt', `rule.${fault}`)
  const windows = input.receivers.map(({ windowFrom, windowBy }, index) => {
    const zone = stops[index]?.timezone ?? last.timezone
    const from = at(`receivers.${index}.windowFrom`, windowFrom, zone)
    const by = at(`receivers.${index}.windowBy`, windowBy, zone)
    const crossed = from && by && orderFault(from.getTime(), by.getTime())
    if (crossed) faults.add(`receivers.${index}.windowFrom`, `rule.${crossed}`)
    if (by && by < now) faults.add(`receivers.${index}.windowBy`, 'rule.deliveryInPast')
    return { from, by }
  })
  return { pickupAt, deliverBy, windows }
}

function checkShape(
  ctx: Context,
  input: NewOrder,
  pickup: PlacedStop,
  stops: readonly PlacedStop[],
  faults: Faults,
): void {
  const items = input.receivers.reduce((sum, receiver) => sum + receiver.items.length, 0)
  if (items > orderLimits.items) faults.add('receivers', 'rule.tooManyItems', { limit: orderLimits.items })
  for (const [index, stop] of stops.entries())
    if (distanceM(pickup, stop) <= Math.max(pickup.radiusM, stop.radiusM))
      faults.add(`receivers.${index}.stop.address`, 'rule.sameAsPickup')
  if (input.showsPrivate && !seesPrivate(ctx.person)) faults.add('showsPrivate', 'rule.adminsOnly')
}

async function checkContacts(ctx: Context, input: NewOrder, faults: Faults): Promise<void> {
  const named = [
    { path: 'sender.contactId', id: input.sender.contactId },
    ...input.receivers.map(({ contactId: id }, index) => ({ path: `receivers.${index}.contactId`, id })),
  ]
  const ids = named.flatMap(({ id }) => id ?? [])
  const known = ids.length > 0 ? await knownContacts(ctx, ids) : new Set()
  for (const { path, id } of named) if (id !== null && !known.has(id)) faults.add(path, 'rule.unknownItem')
}

async function checkDevices(ctx: Context, { devices, receivers }: NewOrder, faults: Faults): Promise<CarriedDevice[]> {
  const ids = devices.map(({ id }) => id)
  const seen = ids.length > 0 ? await carriedDevices(ctx, ids) : []
  const byId = new Map(seen.map((device) => [String(device.id), device]))
  for (const [index, { id, receiver }] of devices.entries()) {
    if (!byId.has(id)) faults.add(`devices.${index}.id`, 'rule.unknownItem')
    if (byId.get(id)?.is_sample) faults.add(`devices.${index}.id`, 'rule.sampleNotSent')
    if (ids.indexOf(id) < index) faults.add(`devices.${index}.id`, 'rule.deviceTwice')
    if (receiver !== null && receiver >= receivers.length) faults.add(`devices.${index}.receiver`, 'rule.unknownItem')
  }
  return seen
}

async function found<T>(
  ctx: Context,
  id: string | null,
  find: (ctx: Context, id: string) => Promise<T | undefined>,
  unless: () => void,
): Promise<T | undefined> {
  if (id === null) return undefined
  const row = await find(ctx, id)
  if (!row) unless()
  return row
}

function sumsOf({ receivers }: NewOrder, pickup: PlacedStop, stops: readonly PlacedStop[]) {
  const items = receivers.flatMap((receiver) => receiver.items)
  const path = [pickup, ...stops]
  return {
    worth: items.reduce((sum, { worth }) => sum + (worth ?? 0), 0),
    weightG: items.reduce((sum, { weightG }) => sum + (weightG ?? 0), 0),
    distanceM: Math.round(stops.reduce((sum, stop, index) => sum + distanceM(path[index] ?? pickup, stop), 0)),
  }
}

interface Pricing extends ReturnType<typeof sumsOf> {
  pickup: PlacedStop
  stops: readonly PlacedStop[]
}

async function priced(
  ctx: Context,
  { deliveryFee, otherLines }: NewOrder,
  company: CompanyRow,
  { pickup, stops, distanceM, weightG }: Pricing,
  faults: Faults,
) {
  const settings = await dispatchSettingsOf(ctx)
  const currency = currencyOf(settings, company)
  if (currency === null) {
    if (deliveryFee !== null || otherLines.length > 0) faults.add('deliveryFee', 'rule.currencyNeeded')
    return { currency, price: null }
  }
  const card = {
    base: settings.baseFee,
    perKm: settings.feePerKm,
    perKg: settings.feePerKg,
    perStop: settings.feePerStop,
  }
  const countries = [pickup, ...stops].map(({ country }) => country ?? null)
  const day = localDayOf(ctx.clock.now().getTime(), pickup.timezone)
  const order = { card, deliveryFee, otherLines, distanceM, weightG, stops: stops.length, currency, countries, day }
  return { currency, price: priceOf(order) }
}

interface Insuring {
  price: PriceSummary | null
  currency: string | null
  pickup: PlacedStop
  stops: readonly PlacedStop[]
  worth: number
}

/** The price with the premium that the plan costs now. Throws PLAN_NOT_FITTING. */
async function insuredPrice(ctx: Context, { insurancePlanId }: NewOrder, of: Insuring) {
  if (insurancePlanId === null) return { price: of.price, leadHours: null }
  const countries = [...new Set([of.pickup, ...of.stops].flatMap(({ country }) => country ?? []))]
  const plan = await fittingPlan(ctx, insurancePlanId, { worth: of.worth, currency: of.currency, countries })
  const premium = { label: plan.name, amount: premiumOf(plan, of.worth) }
  return { price: priceWithPremium(of.price, plan.currency, premium), leadHours: plan.lead_hours }
}
