import { judgementOf, type Limits } from '@isotherm/contract/device-limits.ts'
import type {
  Device,
  Latest,
  Position,
  SparkPoint,
  Transmission,
  Visibility,
  Waiting,
} from '@isotherm/contract/devices.ts'
import { hiddenFrom } from '../../core/visibility/visibility.ts'
import { degrees, hundredths } from '../../domain/measures.ts'
import { nearestTownName } from '../../platform/gazetteer/nearest-town.ts'
import type { DeviceRow, LimitColumns, SparkRow } from './device-queries.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentLimits = (row: LimitColumns): Limits => ({
  temperatureMinC: hundredths(row.temperature_min_centi),
  temperatureMaxC: hundredths(row.temperature_max_centi),
  humidityMinPct: hundredths(row.humidity_min_centi),
  humidityMaxPct: hundredths(row.humidity_max_centi),
})

function presentLatest(row: DeviceRow): Latest | null {
  if (!row.measured_at || !row.received_at) return null
  return {
    measuredAt: row.measured_at.toISOString(),
    receivedAt: row.received_at.toISOString(),
    temperatureC: hundredths(row.temperature_centi),
    temperatureAt: iso(row.temperature_at),
    humidityPct: hundredths(row.humidity_centi),
    humidityAt: iso(row.humidity_at),
    batteryPct: row.battery_pct,
    lightLux: row.light_lux,
  }
}

function presentPosition(row: DeviceRow): Position | null {
  if (row.lat_e7 === null || row.lon_e7 === null || !row.position_at) return null
  const lat = degrees(row.lat_e7)
  const lon = degrees(row.lon_e7)
  return {
    lat,
    lon,
    at: row.position_at.toISOString(),
    accuracyM: row.accuracy_m,
    placeName: nearestTownName(lat, lon),
  }
}

const presentJudgement = (row: DeviceRow): Device['judgement'] => ({
  temperature: judgementOf(row.temperature_centi, row.then_temperature_min, row.then_temperature_max),
  humidity: judgementOf(row.humidity_centi, row.then_humidity_min, row.then_humidity_max),
})

const clockAhead = (row: DeviceRow): number | null =>
  row.clock_ahead_at && (!row.received_at || row.clock_ahead_at > row.received_at) ? row.clock_ahead_s : null

const presentSpark = (row: SparkRow): SparkPoint => ({
  at: row.bucket.toISOString(),
  minC: hundredths(row.min),
  avgC: Math.round(Number(row.sum) / row.n) / 100,
  maxC: hundredths(row.max),
})

/** A device as it is shown; its sparkline only where one was asked for. */
export function presentDevice(row: DeviceRow, sparks?: readonly SparkRow[]): Device {
  const hidden = hiddenFrom(row.licence_until)
  const shown = (at: Date | null) => !hidden || !at || at < hidden
  const values = shown(row.measured_at)
  const device: Device = {
    id: String(row.id),
    imei: row.imei,
    name: row.name,
    tag: row.tag,
    type: row.type,
    status: row.status,
    visibility: row.visibility as Visibility,
    intervalS: row.interval_s,
    transmission: row.transmission as Transmission,
    latest: values ? presentLatest(row) : null,
    position: shown(row.position_at) ? presentPosition(row) : null,
    clockAheadS: clockAhead(row),
    limits: presentLimits(row),
    judgement: values ? presentJudgement(row) : { temperature: null, humidity: null },
    excursionSince: values ? iso(row.excursion_since) : null,
    waiting: (row.waiting ?? []).map(presentWaiting),
    licenceUntil: iso(row.licence_until),
    hiddenFrom: iso(hidden),
    createdAt: row.created_at.toISOString(),
    sampleUntil: iso(row.sample_until),
    version: row.version,
  }
  if (!sparks) return device
  const own = sparks.filter((spark) => spark.device_id === row.id && shown(spark.bucket))
  return { ...device, sparkline24h: own.map(presentSpark) }
}

const presentWaiting = ({ kind, value, since, sentAt }: NonNullable<DeviceRow['waiting']>[number]): Waiting => ({
  kind: kind as Waiting['kind'],
  value,
  since: new Date(since).toISOString(),
  sentAt: sentAt && new Date(sentAt).toISOString(),
})
