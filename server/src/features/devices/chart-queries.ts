import { sql } from 'kysely'
import type { Context } from '../../platform/http/context.ts'
import { inHours, inSpan } from './history-queries.ts'
import { type HistoryScope, wholeHours } from './history-scope.ts'

type Scope = Pick<Context, 'tx' | 'companyId'>
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
export async function readEach(ctx: Scope, span: Span): Promise<ChartRow[]> {
  const { rows } = await sql<ChartRow>`
    select ${ms('measured_at')} as at, 1 as n, ${ms('measured_at')} as first, ${ms('measured_at')} as last, 0 as "gapMs",
      temperature_centi as "temperatureMin", temperature_centi as "temperatureAvg", temperature_centi as "temperatureMax",
      humidity_centi as "humidityMin", humidity_centi as "humidityAvg", humidity_centi as "humidityMax",
      battery_pct as "batteryPct", light_lux as "lightLux"
    from readings where ${inSpan(ctx, span)} order by measured_at`.execute(ctx.tx)
  return rows
}

const bin = (column: string, bucketS: number) =>
  sql`date_bin(${bucketS} * interval '1 second', ${sql.raw(column)}, 'epoch')`

/** The period in buckets, from the raw readings. */
export async function readBuckets(ctx: Scope, span: Span, bucketS: number): Promise<ChartRow[]> {
  const { rows } = await sql<ChartRow>`
    select ${ms('b')} as at, n, ${ms('first')} as first, ${ms('last')} as last, 0 as "gapMs", "temperatureMin",
      "temperatureAvg", "temperatureMax", "humidityMin", "humidityAvg", "humidityMax", "batteryPct", "lightLux"
    from (select ${bin('measured_at', bucketS)} as b, count(*)::int as n, min(measured_at) as first, max(measured_at) as last,
      min(temperature_centi) as "temperatureMin", avg(temperature_centi)::float8 as "temperatureAvg",
      max(temperature_centi) as "temperatureMax", min(humidity_centi) as "humidityMin",
      avg(humidity_centi)::float8 as "humidityAvg", max(humidity_centi) as "humidityMax",
      avg(battery_pct)::float8 as "batteryPct", avg(light_lux)::float8 as "lightLux"
      from readings where ${inSpan(ctx, span)} group by 1) as buckets order by b`.execute(ctx.tx)
  return rows
}

const edge = (ctx: Scope, span: Span) => sql`
  select date_bin('1 hour', measured_at, 'epoch') as bucket, count(*) as n, 0 as gap,
    count(temperature_centi) as tn, min(temperature_centi) as tmin, max(temperature_centi) as tmax,
    sum(temperature_centi) as tsum, count(humidity_centi) as hn, min(humidity_centi) as hmin, max(humidity_centi) as hmax,
    sum(humidity_centi) as hsum
  from readings where ${inSpan(ctx, span)} group by 1`

/** The period in buckets of whole hours: rollups, with raw edges, so that no reading beyond the period counts. */
export async function readRollups(ctx: Scope, span: Span, bucketS: number): Promise<ChartRow[]> {
  const hours = wholeHours(span)
  if (!hours) return readBuckets(ctx, span, bucketS)
  const { rows } = await sql<ChartRow>`
    select ${ms('b')} as at, n, ${ms('first')} as first, ${ms('last')} as last, "gapMs"::float8, "temperatureMin",
      "temperatureAvg", "temperatureMax", "humidityMin", "humidityAvg", "humidityMax",
      null as "batteryPct", null as "lightLux"
    from (select to_timestamp(floor(date_part('epoch', bucket) / ${bucketS}::int4) * ${bucketS}::int4) as b, sum(n)::int as n, min(bucket) as first, max(bucket) + interval '1 hour' as last,
        max(gap) as "gapMs",
        min(tmin) as "temperatureMin", sum(tsum)::float8 / nullif(sum(tn), 0)::float8 as "temperatureAvg",
        max(tmax) as "temperatureMax", min(hmin) as "humidityMin",
        sum(hsum)::float8 / nullif(sum(hn), 0)::float8 as "humidityAvg", max(hmax) as "humidityMax"
      from (
        select bucket, n, greatest(temperature_gap_ms, humidity_gap_ms) as gap, temperature_n as tn,
          temperature_min_centi as tmin, temperature_max_centi as tmax, temperature_sum_centi as tsum,
          humidity_n as hn, humidity_min_centi as hmin, humidity_max_centi as hmax, humidity_sum_centi as hsum
        from readings_hourly where ${inHours(ctx, span.deviceId, hours)}
        union all (${edge(ctx, { ...span, to: hours.first - 1 })})
        union all (${edge(ctx, { ...span, from: hours.end })})) as hours
      group by 1) as buckets order by b`.execute(ctx.tx)
  return rows
}

export interface ExcursionRow {
  id: string
  measure: 'temperature' | 'humidity'
  side: 'above' | 'below'
  start_at: Date
  end_at: Date | null
  peak_centi: number
  peak_at: Date
}

const mostExcursions = 2_000

/** The excursions that touch the period, ascending; of very many the newest. */
export async function readExcursions(ctx: Scope, { deviceId, from, to }: Span): Promise<ExcursionRow[]> {
  const { rows } = await sql<ExcursionRow>`
    select id, measure, side, start_at, end_at, peak_centi, peak_at from excursions
    where company_id = ${ctx.companyId} and device_id = ${deviceId} and start_at <= ${new Date(to)}
      and (end_at is null or end_at >= ${new Date(from)})
    order by start_at desc limit ${mostExcursions}`.execute(ctx.tx)
  return rows.reverse()
}
