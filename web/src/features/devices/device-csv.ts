import type { Device } from '@isotherm/contract/devices.ts'
import { csvOf } from '../../lib/csv.ts'
import { stateOf } from './device-state.ts'

const header = [
  'name',
  'tag',
  'imei',
  'type',
  'status',
  'state',
  'temperature_c',
  'humidity_pct',
  'battery_pct',
  'measured_at_utc',
  'latitude',
  'longitude',
  'place',
  'position_at_utc',
  'temperature_min_c',
  'temperature_max_c',
  'humidity_min_pct',
  'humidity_max_pct',
]

/** devices.csv: one line per device, RFC 4180, numbers and times as machines read them. */
export function devicesCsv(devices: readonly Device[]): string {
  const lines = devices.map(({ latest, position, limits, ...device }) => [
    device.name,
    device.tag,
    device.imei,
    device.type,
    device.status,
    stateOf(device).word,
    latest?.temperatureC,
    latest?.humidityPct,
    latest?.batteryPct,
    latest?.measuredAt,
    position?.lat,
    position?.lon,
    position?.placeName,
    position?.at,
    limits.temperatureMinC,
    limits.temperatureMaxC,
    limits.humidityMinPct,
    limits.humidityMaxPct,
  ])
  return csvOf([header, ...lines])
}
