import type { Device } from '@isotherm/contract/devices.ts'
import type { Group, GroupDevice, GroupTotals, GroupUser } from '@isotherm/contract/groups.ts'
import type { GroupRow } from '../../core/groups/visible-groups.ts'
import { fromCenti } from '../../domain/measures.ts'
import type { CountedGroup, MemberRow } from './queries.ts'
import type { ExcursionSums, Sums } from './totals-queries.ts'

const value = (centi: number | null) => (centi === null ? null : fromCenti(centi))

/** The group's default limits; null where it has none of its own. */
export const limitsOfGroup = (row: GroupRow): Group['limits'] =>
  row.has_limits
    ? {
        temperatureMinC: value(row.temperature_min_centi),
        temperatureMaxC: value(row.temperature_max_centi),
        humidityMinPct: value(row.humidity_min_centi),
        humidityMaxPct: value(row.humidity_max_centi),
      }
    : null

export const presentGroup = (row: CountedGroup): Group => ({
  id: row.id,
  name: row.name,
  visibility: row.visibility as Group['visibility'],
  deviceCount: row.devices,
  outOfRange: row.out_of_range,
  userCount: row.users,
  limits: limitsOfGroup(row),
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

export const target = ({ id, name }: Pick<GroupRow, 'id' | 'name'>) => ({ kind: 'group', id, name })

export const auditSnapshot = (row: GroupRow) => ({
  name: row.name,
  visibility: row.visibility,
  limits: limitsOfGroup(row),
})

export const presentMember = (row: MemberRow, seesTeam: boolean): GroupUser => ({
  id: row.id,
  fullname: row.fullname,
  email: seesTeam ? row.email : null,
  role: row.role,
  addedAt: row.added_at.toISOString(),
})

export const memberOf = (device: Device): GroupDevice => ({
  id: device.id,
  name: device.name,
  tag: device.tag,
  imei: device.imei,
  status: device.status,
  visibility: device.visibility,
  measuredAt: device.latest?.measuredAt ?? null,
  temperatureC: device.latest?.temperatureC ?? null,
  humidityPct: device.latest?.humidityPct ?? null,
  batteryPct: device.latest?.batteryPct ?? null,
  judgement: device.judgement,
  excursionSince: device.excursionSince,
  limits: device.limits,
  position: device.position && {
    lat: device.position.lat,
    lon: device.position.lon,
    placeName: device.position.placeName,
  },
})

export const presentTotals = (sums: Sums, excursions: ExcursionSums): GroupTotals => ({
  devices: sums.devices,
  measuring: sums.measuring,
  outOfRange: excursions.devices,
  readings: sums.readings,
  min: value(sums.min),
  max: value(sums.max),
  average: sums.sum === null || sums.readings === 0 ? null : fromCenti(sums.sum / sums.readings),
  excursions: excursions.count,
  aboveMs: excursions.above,
  belowMs: excursions.below,
})
