import type { BackTestQuestion } from '@isotherm/contract/back-test.ts'
import { sql } from 'kysely'
import { type RotaPlan, rotaPlanText } from '../../core/alarms/rota-sql.ts'
import { type RecordWindowRow, recordWindowsSql } from '../../core/devices/record-windows.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { hiddenFromSql } from '../../core/visibility/visibility.ts'
import type { Fence } from '../../domain/alarm-conditions.ts'
import { type RecordWindow, windowOf } from '../../domain/outside-time.ts'
import type { TenantTx, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

export interface DeviceRow {
  id: number
  name: string
  hidden: number | null
}

/** The visible devices that a rule would watch, its own and those of its groups, by id. */
export const findTested = (
  ctx: ViewerTx,
  { deviceIds, groupIds }: Pick<BackTestQuestion, 'deviceIds' | 'groupIds'>,
): Promise<DeviceRow[]> =>
  allRows<DeviceRow>(ctx.tx)`
    select d.id, d.name, (extract(epoch from ${hiddenFromSql('d')}) * 1000)::float8 as hidden
    from devices d where ${visibleSql(ctx)} and d.decommissioned_at is null and (d.id = any(${deviceIds}::int4[])
      or d.id in (select device_id from group_devices where company_id = ${ctx.companyId}
        and group_id = any(${groupIds}::int8[])))
    order by d.id`

const dayOfHours = 24

/** How many of these devices have readings, that are shown, in fewer hours of a window than a day has. */
export async function countShort(
  { tx, companyId }: TenantTx,
  devices: readonly DeviceRow[],
  from: number,
  to: number,
): Promise<number> {
  const hidden = devices.map((device) => device.hidden ?? Number.POSITIVE_INFINITY)
  const row = await firstRow<{ short: number }>(tx)`
    select count(*)::int as short from unnest(${devices.map(({ id }) => id)}::int4[], ${hidden}::float8[]) as d (id, hidden)
    where (select count(*) from (select from readings_hourly h where h.company_id = ${companyId} and h.device_id = d.id
      and h.bucket >= to_timestamp(${from}::float8 / 1000) and h.bucket <= to_timestamp(least(d.hidden, ${to}) / 1000)
      limit ${dayOfHours}) as hours) < ${dayOfHours}`
  return row?.short ?? 0
}

interface IntervalRow {
  id: number
  from: number
  intervalS: number
}

/** The intervals that devices were to send in, each from an instant on, by device. */
export async function findIntervals({ tx, companyId }: TenantTx, ids: readonly number[]) {
  const { rows } = await sql<IntervalRow>`
    select device_id as id, case when valid_from = '-infinity' then '-Infinity'::float8
      else extract(epoch from valid_from) * 1000 end::float8 as from, interval_s as "intervalS"
    from device_intervals where company_id = ${companyId} and device_id = any(${ids}::int4[])
    order by valid_from`.execute(tx)
  return Map.groupBy(rows, ({ id }) => id)
}

export async function findRecords(ctx: TenantTx, devices: readonly DeviceRow[]): Promise<Map<number, RecordWindow[]>> {
  const { rows } = await sql<{ id: number; records: RecordWindowRow[] | null }>`
    select wanted.device_id as id, ${sql.raw(recordWindowsSql)} as records from (
      select ${ctx.companyId}::int4 as company_id, unnest(${devices.map(({ id }) => id)}::int4[]) as device_id) as wanted`.execute(
    ctx.tx,
  )
  return new Map(rows.map(({ id, records }) => [id, (records ?? []).map(windowOf)]))
}

/** The places a fence rule names, by their keys (g12, p3). */
export async function findFences(ctx: TenantTx, rule: BackTestQuestion['rule']): Promise<Map<string, Fence>> {
  if (rule.kind !== 'fence') return new Map()
  const { rows } = await sql<Fence>`
    select 'g' || id as key, name, area from geofences
    where company_id = ${ctx.companyId} and id = any(${rule.geofenceIds}::int8[])
    union all
    select 'p' || id, name, jsonb_build_object('kind', 'circle', 'radiusM', radius_m,
      'centre', jsonb_build_object('lat', lat_e7 / 1e7, 'lon', lon_e7 / 1e7)) from points_of_interest
    where company_id = ${ctx.companyId} and id = any(${rule.pointOfInterestIds}::int8[])`.execute(ctx.tx)
  return new Map(rows.map((fence) => [fence.key, fence]))
}

export interface Person {
  id: string
  locale: string
  timezone: string
  phone: string | null
}

/** Those of some people who are active, by id; and by '0' the language and zone of the company. */
export async function findHearers({ tx, companyId }: TenantTx, ids: readonly string[]): Promise<Map<string, Person>> {
  const { rows } = await sql<Person>`
    select id::text, locale, timezone, phone from users where company_id = ${companyId} and id = any(${ids}::int8[])
      and status = 'active' and archived_at is null
    union all select '0', locale, timezone, null from companies where company_id = ${companyId}`.execute(tx)
  return new Map(rows.map((person) => [person.id, person]))
}

/** Those of some rotas that were not deleted, by id. */
export async function findRotas({ tx, companyId }: TenantTx, ids: readonly string[]): Promise<Map<string, RotaPlan>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; plan: RotaPlan }>`
    select o.id, ${sql.raw(rotaPlanText)} as plan from rotas o join companies c on c.company_id = o.company_id
    where o.company_id = ${companyId} and o.archived_at is null and o.id = any(${ids}::int8[])`.execute(tx)
  return new Map(rows.map(({ id, plan }) => [id, plan]))
}
