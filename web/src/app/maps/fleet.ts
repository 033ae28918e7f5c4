import { judgementOf } from '@isotherm/contract/device-limits.ts'
import {
  type Device,
  type DeviceFilter,
  type DeviceStatus,
  type DeviceSummary,
  deviceStatuses,
} from '@isotherm/contract/devices.ts'
import { type Fleet, fleetJudgements } from '@isotherm/contract/fleet.ts'
import type { LiveReading } from '@isotherm/contract/live.ts'

/** A device in the list beside the map, and on it. */
export interface FleetDevice {
  id: string
  name: string
  tag: string | null
  imei: string | null
  status: DeviceStatus
  isOut: boolean
  judgement: Device['judgement']
  temperatureC: number | null
  humidityPct: number | null
  measuredAt: number | null
  lat: number | null
  lon: number | null
}

const at = <T>(column: readonly (T | null)[], i: number): T | null => column[i] ?? null

/** The columns as one object per device. */
export function devicesOf(fleet: Fleet): FleetDevice[] {
  const now = Date.parse(fleet.at)
  const judged = (column: readonly (number | null)[], i: number) => {
    const index = at(column, i)
    return index === null ? null : (fleetJudgements[index] ?? null)
  }
  return fleet.ids.map((id, i) => {
    const [tag, ageS] = [at(fleet.tags, i), at(fleet.ageS, i)]
    return {
      id,
      name: fleet.names[i] ?? '',
      tag: tag === null ? null : (fleet.tagNames[tag] ?? null),
      imei: at(fleet.imeis, i),
      status: deviceStatuses[fleet.statuses[i] ?? 0] ?? 'awaiting',
      isOut: fleet.out[i] === 1,
      judgement: { temperature: judged(fleet.temperature, i), humidity: judged(fleet.humidity, i) },
      temperatureC: at(fleet.temperatureC, i),
      humidityPct: at(fleet.humidityPct, i),
      measuredAt: ageS === null ? null : now - ageS * 1000,
      lat: at(fleet.lat, i),
      lon: at(fleet.lon, i),
    }
  })
}

const isHeard = ({ status }: FleetDevice) => status === 'live' || status === 'late'

/** As the chips of the devices' list mean them. */
function passes(device: FleetDevice, filter: DeviceFilter | undefined): boolean {
  switch (filter) {
    case undefined:
      return true
    case 'inRange':
      return isHeard(device) && !device.isOut
    case 'outOfRange':
      return isHeard(device) && device.isOut
    case 'silent':
      return device.status === 'late' || device.status === 'offline'
    default:
      return device.status === filter
  }
}

export interface FleetFilter {
  search: string
  status: DeviceFilter | undefined
  tag: string | undefined
}

/** Those that a search by name, tag or IMEI and the filters leave. */
export function found(devices: readonly FleetDevice[], { search, status, tag }: FleetFilter): FleetDevice[] {
  const wanted = search.trim().toLowerCase()
  return devices.filter(
    (device) =>
      passes(device, status) &&
      (tag === undefined || device.tag === tag) &&
      (wanted === '' ||
        device.name.toLowerCase().includes(wanted) ||
        (device.tag?.toLowerCase().includes(wanted) ?? false) ||
        (device.imei?.includes(wanted) ?? false)),
  )
}

/** The counts of the chips. */
export function summaryOf(devices: readonly FleetDevice[]): DeviceSummary {
  const count = (filter: DeviceFilter) => devices.filter((device) => passes(device, filter)).length
  return {
    total: devices.length,
    byStatus: Object.fromEntries(deviceStatuses.map((status) => [status, count(status)])) as DeviceSummary['byStatus'],
    inRange: count('inRange'),
    outOfRange: count('outOfRange'),
    silent: count('silent'),
    tags: tagsOf(devices),
  }
}

/** The counts of the chips: of those that search and tag leave. */
export const chipsOf = (devices: readonly FleetDevice[], left: Omit<FleetFilter, 'status'>): DeviceSummary =>
  summaryOf(found(devices, { ...left, status: undefined }))

export const tagsOf = (devices: readonly FleetDevice[]): string[] =>
  [...new Set(devices.flatMap(({ tag }) => tag ?? []))].sort()

// States that a new reading cannot end: only a person or a payment does.
const kept: ReadonlySet<DeviceStatus> = new Set(['paused', 'off', 'expired', 'decommissioned'])

/** The fleet after pushed readings, one per device; the same object where none of them is news. */
export function withReadings(fleet: Fleet, pushes: ReadonlyMap<string, LiveReading>): Fleet {
  const next: Fleet = { ...fleet }
  const changed = new Set<keyof Fleet>()
  const set = <K extends Column>(name: K, i: number, value: Fleet[K][number]) => {
    if (!changed.has(name)) {
      changed.add(name)
      next[name] = [...fleet[name]] as Fleet[K]
    }
    const column: Fleet[K][number][] = next[name]
    column[i] = value
  }
  const origin = Date.parse(fleet.at)
  for (let i = 0; i < fleet.ids.length; i++) {
    const push = pushes.get(fleet.ids[i] ?? '')
    if (!push?.latest) continue
    const { latest, position } = push
    const ageS = Math.round((origin - Date.parse(latest.measuredAt)) / 1000)
    const known = at(fleet.ageS, i)
    if (known !== null && ageS > known) continue
    const limits = fleet.limitSets[at(fleet.limits, i) ?? -1]
    const judge = (value: number | null, min: number | null = null, max: number | null = null) => {
      const judgement = judgementOf(value, min, max)
      return judgement && fleetJudgements.indexOf(judgement)
    }
    set('ageS', i, ageS)
    set('temperatureC', i, latest.temperatureC)
    set('humidityPct', i, latest.humidityPct)
    set('temperature', i, judge(latest.temperatureC, limits?.temperatureMinC, limits?.temperatureMaxC))
    set('humidity', i, judge(latest.humidityPct, limits?.humidityMinPct, limits?.humidityMaxPct))
    if (position) {
      set('lat', i, position.lat)
      set('lon', i, position.lon)
    }
    const status = deviceStatuses[fleet.statuses[i] ?? 0] ?? 'awaiting'
    if (!kept.has(status)) set('statuses', i, deviceStatuses.indexOf('live'))
  }
  return changed.size > 0 ? next : fleet
}

type Column = 'ageS' | 'temperatureC' | 'humidityPct' | 'temperature' | 'humidity' | 'lat' | 'lon' | 'statuses'
