import type { Device, DeviceQuery } from '@isotherm/contract/devices.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv, maxRows } from '../../platform/http/list-csv.ts'
import { loadDevices } from './device-queries.ts'
import { findPage } from './list-queries.ts'
import { presentDevice } from './present.ts'

/** So many are read at once. */
const batch = 1_000

const columns = [
  ...['name', 'tag', 'imei', 'type', 'status', 'temperature_c', 'temperature_state', 'humidity_pct', 'humidity_state'],
  ...['battery_pct', 'measured_at_utc', 'latitude', 'longitude', 'place', 'position_at_utc'],
  ...['temperature_min_c', 'temperature_max_c', 'humidity_min_pct', 'humidity_max_pct'],
]

/** devices.csv: a line per device. */
export async function devicesCsv(ctx: Context, query: Omit<DeviceQuery, 'page' | 'perPage' | 'sparkline'>) {
  const { ids } = await findPage(ctx, { ...query, page: 1, perPage: maxRows })
  const lines: unknown[][] = []
  for (let at = 0; at < ids.length; at += batch)
    for (const row of await loadDevices(ctx, ids.slice(at, at + batch))) lines.push(lineOf(presentDevice(row)))
  ctx.audit({ action: 'devices.exported', after: { count: lines.length } })
  return listCsv('devices.csv', columns, lines)
}

const lineOf = ({ latest, position, limits, judgement, ...device }: Device) => [
  ...[device.name, device.tag, device.imei, device.type, device.status],
  ...[latest?.temperatureC, judgement.temperature, latest?.humidityPct, judgement.humidity],
  ...[latest?.batteryPct, latest?.measuredAt],
  ...[position?.lat, position?.lon, position?.placeName, position?.at],
  ...[limits.temperatureMinC, limits.temperatureMaxC, limits.humidityMinPct, limits.humidityMaxPct],
]
