import type { Period } from '@isotherm/contract/common.ts'
import type { Measure } from '@isotherm/contract/device-limits.ts'
import { type RawBuilder, sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { countedDevicesSql } from '../../core/groups/visible-groups.ts'
import { hiddenFromSql } from '../../core/visibility/visibility.ts'
import { hourOf } from '../../domain/rollup.ts'
import type { Context } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

export interface Member {
  id: number
  name: string
  interval_s: number
  /** Its limits now, in hundredths. */
  temperature_min_centi: number | null
  temperature_max_centi: number | null
  humidity_min_centi: number | null
  humidity_max_centi: number | null
  /** From when on a lapsed licence hides its readings; null: nothing is hidden. */
  hidden: Date | null
  /** The part of the period that is drawn of it; undefined: all of it. */
  part?: Period | undefined
}

/** The source of a chart: these devices' readings, or their hours' rollups, in buckets. Instants in ms since 1970. */
export interface GroupChartQuery {
  members: readonly Member[]
  measure: Measure
  from: number
  to: number
  bucketS: number
  isRaw: boolean
}

const memberColumns = () => sql`d.id, d.name, d.interval_s, ${hiddenFromSql('d')} as hidden`

/** Devices as a group's chart needs them, by name. */
const membersFrom = (ctx: Context, found: RawBuilder<unknown>): Promise<Member[]> =>
  allRows<Member>(ctx.tx)`
    select d.*, l.temperature_min_centi, l.temperature_max_centi, l.humidity_min_centi, l.humidity_max_centi
    from (select ${memberColumns()} from ${found}) d
    left join lateral (select * from device_limits l where l.company_id = ${ctx.companyId} and l.device_id = d.id
      and l.valid_from <= ${ctx.clock.now()} order by l.valid_from desc limit 1) l on true
    order by lower(d.name), d.id`

export const loadMembers = (ctx: Context, groupId: string): Promise<Member[]> =>
  membersFrom(ctx, countedDevicesSql(ctx, groupId))

/** The same of devices that are known; those taken out of use too. */
export const loadDevices = (ctx: Context, ids: readonly number[]): Promise<Member[]> =>
  membersFrom(ctx, sql`devices d where d.company_id = ${ctx.companyId} and d.id = any(${ids}::int4[])`)

/** The same of those that the person sees. */
export const loadVisible = (ctx: Context, ids: readonly string[]): Promise<Member[]> =>
  membersFrom(ctx, sql`devices d where ${visibleSql(ctx)} and d.id = any(${ids}::int8[])`)

/** Buckets begin at whole seconds; `extract` would count each with decimal digits. */
const ms = (name: string) => sql.raw(`date_part('epoch', ${name}) * 1000`)

/** The bucket of an instant. */
const bin = (column: string, { bucketS }: GroupChartQuery): RawBuilder<Date> =>
  sql<Date>`date_bin(${`${bucketS} s`}::interval, ${sql.raw(column)}, 'epoch')`

/** The devices with the instant their readings end at, and what is drawn of each. */
const membersSql = ({ members, from, to }: GroupChartQuery) => sql`
  unnest(${members.map(({ id }) => id)}::int4[],
    ${members.map(({ hidden }) => hidden?.toISOString() ?? 'infinity')}::timestamptz[],
    ${members.map(({ part }) => part?.from ?? new Date(from).toISOString())}::timestamptz[],
    ${members.map(({ part }) => part?.to ?? new Date(to).toISOString())}::timestamptz[]) as v (id, hidden, since, until)`

/**
 * By bucket of one device: `least`, `most`, `sum` and `n` of its readings; whole hours of rollups, those of the period's edges
 * too, so that a line reaches the edge; of a device of which a part is drawn whole hours of the part alone.
 */
function perDevice(ctx: Context, asked: GroupChartQuery): RawBuilder<unknown> {
  const { measure, from, to, bucketS, isRaw } = asked
  const column = (name: string) => sql.raw(`r.${measure}_${name}`)
  if (isRaw)
    return sql`select ${bin('r.measured_at', asked)} as b, min(${column('centi')}) as least, max(${column('centi')}) as most,
        sum(${column('centi')})::float8 as sum, count(*)::float8 as n
      from readings r where r.company_id = ${ctx.companyId} and r.device_id = v.id and r.measured_at >= greatest(v.since, ${new Date(from)})
        and r.measured_at <= least(v.until, ${new Date(to)}) and r.measured_at < v.hidden and ${column('centi')} is not null
      group by 1`
  // An hour's rollup is a bucket by itself where that is the width.
  const isWhole = bucketS === 3600
  const of = (fold: string, name: string) => (isWhole ? column(name) : sql`${sql.raw(fold)}(${column(name)})`)
  return sql`select ${isWhole ? sql`r.bucket` : bin('r.bucket', asked)} as b, ${of('min', 'min_centi')} as least,
      ${of('max', 'max_centi')} as most, ${of('sum', 'sum_centi')}::float8 as sum, ${of('sum', 'n')}::float8 as n
    from readings_hourly r where r.company_id = ${ctx.companyId} and r.device_id = v.id
      and r.bucket >= ${new Date(hourOf(from))} and r.bucket <= ${new Date(to)}
      and (v.since <= ${new Date(from)} or r.bucket >= v.since) and (v.until >= ${new Date(to)} or r.bucket + interval '1 hour' <= v.until)
      and r.bucket < v.hidden and ${column('n')} > 0
    ${isWhole ? sql`` : sql`group by 1`}`
}

export interface BandRow {
  at: number
  least: number
  most: number
  mean: number
}

/** Over all devices, by bucket, ascending; worked out where the rows are: of a year they are millions. */
export const readBand = (ctx: Context, asked: GroupChartQuery): Promise<BandRow[]> =>
  allRows<BandRow>(ctx.tx)`
    select ${ms('b')} as at, min(least) as least, max(most) as most, sum(sum) / sum(n) as mean
    from ${membersSql(asked)} cross join lateral (${perDevice(ctx, asked)}) as own
    group by own.b order by own.b`

export interface LineRow {
  id: number
  at: number[]
  mean: number[]
}

interface ChartRow {
  /** null: the band. */
  id: number | null
  at: number[] | null
  mean: number[] | null
  least: number[] | null
  most: number[] | null
}

/** The band, and the mean of each device by bucket; the readings are gone through once for both. */
export async function readBandAndLines(
  ctx: Context,
  asked: GroupChartQuery,
): Promise<{ band: BandRow[]; lines: LineRow[] }> {
  const rows = await allRows<ChartRow>(ctx.tx)`
    with own as materialized (
      select v.id, own.* from ${membersSql(asked)} cross join lateral (${perDevice(ctx, asked)}) as own),
    band as (select b, min(least)::int4 as least, max(most)::int4 as most, sum(sum) / sum(n) as mean from own group by b)
    select id, array_agg(${ms('b')}) as at, array_agg(sum / n) as mean, null::int4[] as least, null::int4[] as most
    from own group by id
    union all
    select null, array_agg(${ms('b')} order by b), array_agg(mean order by b), array_agg(least order by b), array_agg(most order by b)
    from band`
  const { at, mean, least, most } = rows.find(({ id }) => id === null) ?? {}
  return {
    band: (at ?? []).map((start, n) => ({
      at: start,
      least: least?.[n] ?? 0,
      most: most?.[n] ?? 0,
      mean: mean?.[n] ?? 0,
    })),
    lines: rows.flatMap((row) => (row.id === null ? [] : [{ id: row.id, at: row.at ?? [], mean: row.mean ?? [] }])),
  }
}
