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
import type { LatestRow, MapRow, NextRow, PositionRow, TemperatureRow, TrackedRow } from './tracking-queries.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentPlace = (row: Omit<PlaceRow, 'device_id'>): TrackedPosition => ({
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

function positionOf(row: PositionRow): TrackedPosition | null {
  const { lat_e7, lon_e7, position_at, accuracy_m } = row
  if (lat_e7 === null || lon_e7 === null || position_at === null) return null
  return presentPlace({ lat_e7, lon_e7, position_at, accuracy_m, is_present: row.position_is_present ?? false })
}

export const presentTracked = (row: TrackedRow): TrackedDevice => ({
  ...{ id: String(row.device_id), name: row.name, imei: row.imei },
  ...{ role: row.role as DeviceRole, receiverId: row.receiver_id },
  position: positionOf(row),
  temperature: presentTemperature(row),
  ...{ humidityPct: hundredths(row.humidity_centi), batteryPct: row.battery_pct },
  lastReadingAt: iso(row.measured_at),
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
  placedBy: row.placed_by === null ? null : String(row.placed_by),
  phone: row.placed_by === null ? positionOf(row) : null,
  measuredBy: row.measured_by === null ? null : String(row.measured_by),
})

export const presentMapDevice = (row: LatestRow): MapDevice => ({
  id: String(row.device_id),
  position: positionOf(row),
  temperature: presentTemperature(row),
})
