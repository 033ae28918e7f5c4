import { sql } from 'kysely'
import { annotationsSql, causeNameSql } from '../../core/devices/annotation-sql.ts'
import type { ExcursionRow } from '../../core/devices/present-excursion.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { inHours, inSpan } from './history-queries.ts'
import { type HistoryScope, wholeHours } from './history-scope.ts'

type Span = Pick<HistoryScope, 'deviceId' | 'from' | 'to'>

/** A reading, or a bucket of them. Instants in ms since 1970; values in hundredths, averages unrounded. */
export interface ChartRow {
  at: number
  /** How many readings. */
  n: number
  /** The first and last reading in it; of rollups the first and last hour's edges. */
  first: number
  last: number
  /** The longest wait for a next reading that began in it, as far as the rollups know; 0 else. */
  gapMs: number
  temperatureMin: number | null
  temperatureAvg: number | null
  temperatureMax: number | null
  humidityMin: number | null
  humidityAvg: number | null
  humidityMax: number | null
  batteryPct: number | null
  lightLux: number | null
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** Every reading of the period, ascending. */
export const readEach = (ctx: TenantTx, span: Span): Promise<ChartRow[]> =>
  allRows<ChartRow>(ctx.tx)`
    select ${ms('measured_at')} as at, 1 as n, ${ms('measured_at')} as first, ${ms('measured_at')} as last, 0 as "gapMs",
      temperature_centi as "temperatureMin", temperature_centi as "temperatureAvg", temperature_centi as "temperatureMax",
      humidity_centi as "humidityMin", humidity_centi as "humidityAvg", humidity_centi as "humidityMax",
      battery_pct as "batteryPct", light_lux as "lightLux"
    from readings where ${inSpan(ctx, span)} order by measured_at`

const bin = (column: string, bucketS: number) => sql`date_bin(${`${bucketS} s`}::interval, ${sql.raw(column)}, 'epoch')`

/** The period in buckets, from the raw readings. */
export const readBuckets = (ctx: TenantTx, span: Span, bucketS: number): Promise<ChartRow[]> =>
  allRows<ChartRow>(ctx.tx)`
    select ${ms('b')} as at, n, ${ms('first')} as first, ${ms('last')} as last, 0 as "gapMs", "temperatureMin",
      "temperatureAvg", "temperatureMax", "humidityMin", "humidityAvg", "humidityMax", "batteryPct", "lightLux"
    from (select ${bin('measured_at', bucketS)} as b, count(*)::int as n, min(measured_at) as first, max(measured_at) as last,
      min(temperature_centi) as "temperatureMin", avg(temperature_centi)::float8 as "temperatureAvg",
      max(temperature_centi) as "temperatureMax", min(humidity_centi) as "humidityMin",
      avg(humidity_centi)::float8 as "humidityAvg", max(humidity_centi) as "humidityMax",
      avg(battery_pct)::float8 as "batteryPct", avg(light_lux)::float8 as "lightLux"
      from readings where ${inSpan(ctx, span)} group by 1) as buckets order by b`

/** The sources of a row of the chart: hours of a bucket, or the readings at an edge of the period. */
interface Sums {
  at: number
  n: number
  first: number
  last: number
  gapMs: number
  tn: number
  tmin: number | null
  tmax: number | null
  tsum: number
  hn: number
  hmin: number | null
  hmax: number | null
  hsum: number
}

const hoursSql = (ctx: TenantTx, span: Span, hours: { first: number; end: number }, bucketS: number) => sql<Sums>`
  select ${ms('b')} as at, n, ${ms('first')} as first, ${ms('last')} + 3600000 as last, "gapMs"::float8, tn, tmin, tmax,
    tsum::float8, hn, hmin, hmax, hsum::float8
  from (select ${bin('bucket', bucketS)} as b, sum(n)::int as n, min(bucket) as first, max(bucket) as last,
      greatest(max(temperature_gap_ms), max(humidity_gap_ms)) as "gapMs",
      sum(temperature_n)::int as tn, min(temperature_min_centi) as tmin, max(temperature_max_centi) as tmax,
      sum(temperature_sum_centi) as tsum, sum(humidity_n)::int as hn, min(humidity_min_centi) as hmin,
      max(humidity_max_centi) as hmax, sum(humidity_sum_centi) as hsum
    from readings_hourly where ${inHours(ctx, span.deviceId, hours)} group by 1) as buckets`

// All readings of an edge are in one hour, which is what the rollups would call the first and last of them.
const edgeSql = (ctx: TenantTx, span: Span, bucketS: number) => sql<Sums>`
  select (extract(epoch from ${bin('hour', bucketS)}) * 1000)::float8 as at, n, ${ms('hour')} as first, ${ms('hour')} + 3600000 as last,
    0 as "gapMs", tn, tmin, tmax, tsum, hn, hmin, hmax, hsum
  from (select date_bin('1 hour', min(measured_at), 'epoch') as hour, count(*)::int as n,
      count(temperature_centi)::int as tn, min(temperature_centi) as tmin, max(temperature_centi) as tmax,
      coalesce(sum(temperature_centi), 0)::float8 as tsum, count(humidity_centi)::int as hn,
      min(humidity_centi) as hmin, max(humidity_centi) as hmax, coalesce(sum(humidity_centi), 0)::float8 as hsum
    from readings where ${inSpan(ctx, span)} having count(*) > 0) as edge`

/** The period in buckets of whole hours: rollups, with raw edges, so that no reading beyond the period counts. */
export async function readRollups(ctx: TenantTx, span: Span, bucketS: number): Promise<ChartRow[]> {
  const hours = wholeHours(span)
  if (!hours) return readBuckets(ctx, span, bucketS)
  const [before, within, after] = await Promise.all([
    edgeSql(ctx, { ...span, to: hours.first - 1 }, bucketS).execute(ctx.tx),
    hoursSql(ctx, span, hours, bucketS).execute(ctx.tx),
    edgeSql(ctx, { ...span, from: hours.end }, bucketS).execute(ctx.tx),
  ])
  const buckets = new Map<number, Sums>()
  for (const row of [...before.rows, ...within.rows, ...after.rows]) {
    const known = buckets.get(row.at)
    buckets.set(row.at, known ? added(known, row) : row)
  }
  return [...buckets.values()].sort((a, b) => a.at - b.at).map(rowOf)
}

const pick = (choose: (...values: number[]) => number, a: number | null, b: number | null) =>
  a === null || b === null ? (a ?? b) : choose(a, b)

const added = (a: Sums, b: Sums): Sums => ({
  at: a.at,
  n: a.n + b.n,
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  gapMs: Math.max(a.gapMs, b.gapMs),
  tn: a.tn + b.tn,
  tmin: pick(Math.min, a.tmin, b.tmin),
  tmax: pick(Math.max, a.tmax, b.tmax),
  tsum: a.tsum + b.tsum,
  hn: a.hn + b.hn,
  hmin: pick(Math.min, a.hmin, b.hmin),
  hmax: pick(Math.max, a.hmax, b.hmax),
  hsum: a.hsum + b.hsum,
})

const rowOf = ({ at, n, first, last, gapMs, tn, tmin, tmax, tsum, hn, hmin, hmax, hsum }: Sums): ChartRow => ({
  at,
  n,
  first,
  last,
  gapMs,
  temperatureMin: tmin,
  temperatureAvg: tn > 0 ? tsum / tn : null,
  temperatureMax: tmax,
  humidityMin: hmin,
  humidityAvg: hn > 0 ? hsum / hn : null,
  humidityMax: hmax,
  batteryPct: null,
  lightLux: null,
})

interface AnnotatedExcursion extends ExcursionRow {
  cause: string | null
  note: string | null
}

const maxExcursions = 2_000

/** The excursions that touch the period, ascending; of very many the newest. */
export async function readExcursions(ctx: TenantTx & Pick<Context, 'locale'>, { deviceId, from, to }: Span) {
  const { rows } = await sql<AnnotatedExcursion>`
    select e.id, e.measure, e.side, e.start_at, e.end_at, e.peak_centi, e.peak_at, own.cause, own.note
    from (select * from excursions
      where company_id = ${ctx.companyId} and device_id = ${deviceId} and start_at <= ${new Date(to)}
        and (end_at is null or end_at >= ${new Date(from)})
      order by start_at desc limit ${maxExcursions}) e
    left join lateral (${annotationsSql(sql`${causeNameSql(ctx.locale)} as cause, n.note`)} limit 1) own on true
    order by e.start_at desc`.execute(ctx.tx)
  return rows.reverse()
}
