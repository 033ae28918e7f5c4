import type { BackTestQuestion } from '@isotherm/contract/back-test.ts'
import { sql } from 'kysely'
import type { Fence } from '../../domain/alarm-conditions.ts'
import { type RecordWindow, windowOf } from '../../domain/outside-time.ts'
import { type RuleFrom, ruleAt, rulesOf } from '../../domain/rules.ts'
import { hiddenFromSql } from '../../platform/auth/visibility.ts'
import { type RecordWindowRow, recordWindowsSql } from '../../platform/devices/record-windows.ts'
import { visibleSql } from '../../platform/devices/visible-devices.ts'
import type { Context } from '../../platform/http/context.ts'

/** A device that a back-test looks at. Instants in ms. */
export interface TestedDevice {
  id: number
  name: string
  /** Readings from then on are hidden: its licence is long over. Infinity without an end. */
  hiddenFrom: number
  /** How long a reading measured at an instant may hold, ms. */
  holdAt(at: number): number
  longestHoldMs: number
  /** Its records, where the rule counts within them. */
  records: readonly RecordWindow[]
}

interface DeviceRow {
  id: number
  name: string
  hidden: number | null
}

/** The visible devices that a rule would watch, its own and those of its groups, by id. */
export async function findTested(
  ctx: Context,
  { deviceIds, groupIds }: Pick<BackTestQuestion, 'deviceIds' | 'groupIds'>,
): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select d.id, d.name, (extract(epoch from ${hiddenFromSql('d')}) * 1000)::float8 as hidden
    from devices d where ${visibleSql(ctx)} and d.decommissioned_at is null and (d.id = any(${deviceIds}::int4[])
      or d.id in (select device_id from group_devices where company_id = ${ctx.companyId}
        and group_id = any(${groupIds}::int8[])))
    order by d.id`.execute(ctx.tx)
  return rows
}

interface IntervalRow {
  id: number
  from: number
  intervalS: number
}

/** Adds how long their readings hold, and their records where the rule counts within them. */
export async function withHold(
  ctx: Context,
  rows: readonly DeviceRow[],
  rule: BackTestQuestion['rule'],
): Promise<TestedDevice[]> {
  const isOfRecords = rule.kind === 'value' && rule.cumulative?.window === 'record'
  const records = isOfRecords ? await findRecords(ctx, rows) : new Map<number, RecordWindow[]>()
  const { rows: intervals } = await sql<IntervalRow>`
    select device_id as id, case when valid_from = '-infinity' then '-Infinity'::float8
      else extract(epoch from valid_from) * 1000 end::float8 as from, interval_s as "intervalS"
    from device_intervals where company_id = ${ctx.companyId} and device_id = any(${rows.map(({ id }) => id)}::int4[])
    order by valid_from`.execute(ctx.tx)
  const byDevice = Map.groupBy(intervals, ({ id }) => id)
  return rows.map(({ id, name, hidden }) => {
    const rules: readonly RuleFrom[] = rulesOf([], byDevice.get(id) ?? []).temperature
    return {
      id,
      name,
      hiddenFrom: hidden ?? Number.POSITIVE_INFINITY,
      holdAt: (at) => ruleAt(rules, at).holdMs,
      longestHoldMs: Math.max(0, ...rules.map(({ holdMs }) => holdMs)),
      records: records.get(id) ?? [],
    }
  })
}

async function findRecords(ctx: Context, devices: readonly DeviceRow[]): Promise<Map<number, RecordWindow[]>> {
  const { rows } = await sql<{ id: number; records: RecordWindowRow[] | null }>`
    select wanted.device_id as id, ${sql.raw(recordWindowsSql)} as records from (
      select ${ctx.companyId}::int4 as company_id, unnest(${devices.map(({ id }) => id)}::int4[]) as device_id) as wanted`.execute(
    ctx.tx,
  )
  return new Map(rows.map(({ id, records }) => [id, (records ?? []).map(windowOf)]))
}

/** The places a fence rule names, by their keys (g12, p3). */
export async function findFences(ctx: Context, rule: BackTestQuestion['rule']): Promise<Map<string, Fence>> {
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
