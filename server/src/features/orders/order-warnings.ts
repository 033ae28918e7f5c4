import type { NewOrder, OrderWarning } from '@isotherm/contract/new-order.ts'
import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { isSilent, lasts } from '../../domain/trip-warnings.ts'
import { foldName } from '../../platform/gazetteer/fold-name.ts'
import type { CarriedDevice, CarrierRow } from './check-queries.ts'
import type { PlacedStop } from './stop-times.ts'

const hourMs = 3_600_000
const leadHours = 24
const motorcycleG = 60_000

/** The facts of an order that warnings rest on. */
export interface WarnedOrder {
  input: Pick<NewOrder, 'devices'>
  now: Date
  pickupAt: Date | null
  deliverBy: Date
  pickup: PlacedStop
  stops: readonly PlacedStop[]
  devices: readonly CarriedDevice[]
  driver: CarrierRow | undefined
  vehicle: CarrierRow | undefined
  weightG: number
}

const warn = (code: OrderWarning['code'], values: OrderWarning['values'] = {}): OrderWarning => ({ code, values })

/** The things to look at before an order is made, without those of an insurance; nothing of it hinders anybody. */
export function warningsOf(order: WarnedOrder): OrderWarning[] {
  const { deliverBy, driver, vehicle, stops, weightG } = order
  const hours = Math.max(0, deliverBy.getTime() - order.now.getTime()) / hourMs
  const last = stops.at(-1) ?? order.pickup
  const expires = driver?.licence_expires_on ?? null
  return [
    ...(order.input.devices.length === 0 ? [warn('noTracker')] : []),
    ...order.devices.flatMap((device) => deviceWarnings(device, order, hours)),
    ...(driver && expires !== null && expires < localDayOf(deliverBy.getTime(), last.timezone)
      ? [warn('licenceExpires', { name: driver.name, date: expires })]
      : []),
    ...(vehicle?.type === 'motorcycle' && weightG > motorcycleG
      ? [warn('heavyForMotorcycle', { name: vehicle.name, kg: Math.round(weightG / 1_000) })]
      : []),
    ...sameAddresses(order),
    ...[order.pickup, ...stops].flatMap((stop) =>
      stop.isAssumed ? [warn('zoneAssumed', { address: stop.address, zone: stop.timezone })] : [],
    ),
  ]
}

/** The same of an order that is insured: the insurer wants to know so many hours ahead. */
export function insuranceWarnings(
  planLeadHours: number,
  { pickupAt, deliverBy, now }: Pick<WarnedOrder, 'pickupAt' | 'deliverBy' | 'now'>,
): OrderWarning[] {
  const wanted = Math.max(leadHours, planLeadHours)
  const ahead = (pickupAt ?? deliverBy).getTime() - now.getTime()
  return ahead < wanted * hourMs ? [warn('insuranceSoon', { hours: wanted })] : []
}

function deviceWarnings(device: CarriedDevice, { input }: WarnedOrder, hours: number): OrderWarning[] {
  const isCargo = input.devices.some(({ id, role }) => id === String(device.id) && role === 'cargo')
  const about = { name: device.name }
  return [
    ...(isSilent(device.status) ? [warn('deviceSilent', about)] : []),
    ...(lasts(device.battery_pct, device.battery_per_hour, hours)
      ? []
      : [warn('batteryLow', { ...about, percent: device.battery_pct ?? 0 })]),
    ...(isCargo && !device.has_limits ? [warn('noLimits', about)] : []),
    ...(isCargo && device.busy_code
      ? [warn('deviceBusy', { ...about, trackingCode: showTrackingCode(device.busy_code) })]
      : []),
  ]
}

function sameAddresses({ stops }: WarnedOrder): OrderWarning[] {
  const groups = Map.groupBy(stops, ({ address }) => foldName(address))
  return [...groups.values()].flatMap(([first, second]) =>
    first && second ? [warn('sameAddress', { address: first.address })] : [],
  )
}
