import { judgementOf } from '@isotherm/contract/device-limits.ts'
import type {
  MapDevice,
  MapOrder,
  NextStop,
  RouteStop,
  TrackedDevice,
  TrackedPosition,
  TrackedTemperature,
} from '@isotherm/contract/order-tracking.ts'
import { type DeviceRole, Eta, type ReceiverState } from '@isotherm/contract/orders.ts'
import { etaOf } from '../../core/orders/eta-state.ts'
import type { ReceiverRow } from '../../core/orders/order-queries.ts'
import type { PlaceRow } from '../../core/orders/place-sql.ts'
import { degrees, fromCenti, hundredths } from '../../domain/measures.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { type PhoneRow, phoneIdOf } from './phone-queries.ts'
import type { LatestRow, MapRow, NextRow, PositionRow, TemperatureRow, TrackedRow } from './tracking-queries.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

const presentPlace = (row: Omit<PlaceRow, 'device_id' | 'phone_of'>): TrackedPosition => ({
  ...{ lat: degrees(row.lat_e7), lon: degrees(row.lon_e7), at: row.position_at.toISOString() },
  ...{ accuracyM: row.accuracy_m, isLive: row.is_present },
})

export const presentTemperature = (row: TemperatureRow): TrackedTemperature | null =>
  row.temperature_centi === null || row.temperature_at === null
    ? null
    : {
        valueC: fromCenti(row.temperature_centi),
        at: row.temperature_at.toISOString(),
        judgement: judgementOf(row.temperature_centi, row.temperature_min_centi, row.temperature_max_centi),
        isLive: row.temperature_is_present ?? false,
      }

/** The device that tells where something is, a tracker or a phone; null: none does. */
export const placedBy = (row: { device_id: number | null; phone_of: string | null } | undefined): string | null =>
  row?.phone_of ? phoneIdOf(row.phone_of) : row?.device_id ? String(row.device_id) : null

function positionOf(row: PositionRow): TrackedPosition | null {
  const { lat_e7, lon_e7, position_at, accuracy_m } = row
  if (lat_e7 === null || lon_e7 === null || position_at === null) return null
  return presentPlace({ lat_e7, lon_e7, position_at, accuracy_m, is_present: row.position_is_present ?? false })
}

export const presentTracked = (row: TrackedRow): TrackedDevice => ({
  ...{ id: String(row.device_id), kind: 'tracker', name: row.name, imei: row.imei },
  ...{ role: row.role as DeviceRole, receiverId: row.receiver_id },
  position: positionOf(row),
  temperature: presentTemperature(row),
  ...{ humidityPct: hundredths(row.humidity_centi), batteryPct: row.battery_pct },
  lastReadingAt: iso(row.measured_at),
})

export const presentPhone = (row: PhoneRow): TrackedDevice => ({
  ...{ id: phoneIdOf(row.driver_id), kind: 'phone', name: row.name, imei: null, role: 'vehicle', receiverId: null },
  position: positionOf(row),
  ...{ temperature: null, humidityPct: null, batteryPct: null, lastReadingAt: iso(row.position_at) },
})

export const presentStop = (row: ReceiverRow, isLate: boolean): RouteStop => ({
  ...{ id: row.id, sequence: row.sequence, name: row.name },
  stop: {
    ...{ address: row.address, lat: row.lat, lon: row.lon, radiusM: row.radius_m },
    ...{ timezone: row.zone, country: row.country },
  },
  ...{ state: row.state as ReceiverState, snoozedUntil: iso(row.snoozed_until), eta: etaOf(row), isLate },
  ...{ windowFrom: iso(row.window_from), windowBy: iso(row.window_by) },
  ...{ arrivedAt: iso(row.arrived_at), settledAt: iso(row.settled_at) },
})

export const presentNext = (row: NextRow): NextStop | null =>
  row.next_id === null
    ? null
    : {
        ...{ receiverId: row.next_id, name: row.next_name },
        ...{ timezone: row.next_zone, state: row.next_state as ReceiverState },
        eta: row.next_state === 'waiting' ? Eta.nullable().parse(row.next_eta) : null,
      }

export const presentOnMap = (row: MapRow): MapOrder => ({
  ...{ id: row.id, trackingCode: showTrackingCode(row.tracking_code) },
  ...{ driver: row.driver, plate: row.plate, isLate: row.is_late },
  next: presentNext(row),
  placedBy: placedBy({ device_id: row.placed_by, phone_of: row.phone_of }),
  measuredBy: row.measured_by === null ? null : String(row.measured_by),
})

/** The phones that tell where orders are, each once with the newest that it told. */
export function presentMapPhones(rows: readonly MapRow[]): MapDevice[] {
  const placed = rows.flatMap((row) => (row.phone_of === null ? [] : [{ ...row, phone_of: row.phone_of }]))
  return [...Map.groupBy(placed, ({ phone_of }) => phone_of)].flatMap(([driverId, ofPhone]) => {
    const [newest] = ofPhone.toSorted((a, b) => Number(b.position_at) - Number(a.position_at))
    return newest
      ? [{ id: phoneIdOf(driverId), kind: 'phone' as const, position: positionOf(newest), temperature: null }]
      : []
  })
}

export const presentMapDevice = (row: LatestRow): MapDevice => ({
  ...{ id: String(row.device_id), kind: 'tracker' },
  position: positionOf(row),
  temperature: presentTemperature(row),
})
