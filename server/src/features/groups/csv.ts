import type { Device } from '@isotherm/contract/devices.ts'
import type { GroupQuery } from '@isotherm/contract/groups.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv, maxRows } from '../../platform/http/list-csv.ts'
import { memberOf, presentGroup, target } from './present.ts'
import { listGroups, pageOfDevices } from './queries.ts'

const limitColumns = ['temperature_min_c', 'temperature_max_c', 'humidity_min_pct', 'humidity_max_pct']
const columns = ['name', 'visibility', 'devices', 'out_of_range', 'members', ...limitColumns, 'created_at_utc']
const deviceColumns = [
  ...['name', 'tag', 'imei', 'status', 'temperature_c', 'temperature_state', 'humidity_pct', 'humidity_state'],
  ...['battery_pct', 'measured_at_utc', 'latitude', 'longitude', 'place', ...limitColumns],
]

/** groups.csv: a line per group that the person sees. */
export async function groupsCsv(ctx: Context, query: Omit<GroupQuery, 'page' | 'perPage'>) {
  const { rows } = await listGroups(ctx, { ...query, page: 1, perPage: maxRows })
  const lines = rows
    .map(presentGroup)
    .map(({ limits, ...group }) => [
      ...[group.name, group.visibility, group.deviceCount, group.outOfRange, group.userCount],
      ...[limits?.temperatureMinC, limits?.temperatureMaxC, limits?.humidityMinPct, limits?.humidityMaxPct],
      group.createdAt,
    ])
  ctx.audit({ action: 'groups.exported', after: { count: lines.length } })
  return listCsv('groups.csv', columns, lines)
}

/** group-devices.csv: a line per device of the group that the person sees in it. Throws NOT_FOUND. */
export async function groupDevicesCsv(
  ctx: Context,
  id: string,
  search: string | undefined,
  devicesOf: (ctx: Context, ids: number[]) => Promise<Device[]>,
) {
  const group = await findGroup(ctx, id)
  const { ids } = await pageOfDevices(ctx, group.id, { search, page: 1, perPage: maxRows })
  const lines = (await devicesOf(ctx, ids))
    .map(memberOf)
    .map(({ limits, position, judgement, ...device }) => [
      ...[device.name, device.tag, device.imei, device.status, device.temperatureC, judgement.temperature],
      ...[device.humidityPct, judgement.humidity, device.batteryPct, device.measuredAt],
      ...[position?.lat, position?.lon, position?.placeName],
      ...[limits.temperatureMinC, limits.temperatureMaxC, limits.humidityMinPct, limits.humidityMaxPct],
    ])
  ctx.audit({ action: 'groups.devicesExported', target: target(group), after: { count: lines.length } })
  return listCsv('group-devices.csv', deviceColumns, lines)
}
