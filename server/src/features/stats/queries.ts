import { type RawBuilder, sql } from 'kysely'
import { reachesIntoSql, withinSql } from '../../core/devices/excursion-sql.ts'
import type { Measure } from '../../domain/measures.ts'
import { hourMs } from '../../domain/rollup.ts'
import type { Span } from '../../domain/stats.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

/** One measure of one device. */
export interface Series {
  deviceId: number
  measure: Measure
}

/** A reading of the series; ms since 1970 and hundredths. */
export interface ReadingRow {
  part: string
  at: number
  value: number
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
const column = (series: Series) => sql.raw(`${series.measure}_centi`)
const rollup = (series: Series, name: string) => sql.raw(`${series.measure}_${name}`)

const readings = (ctx: TenantTx, series: Series, from: number, before: number) => sql`
  readings where company_id = ${ctx.companyId} and device_id = ${series.deviceId} and ${column(series)} is not null
  and measured_at >= ${new Date(from)} and measured_at < ${new Date(before)}`

const part = (name: string, series: Series, rest: RawBuilder<unknown>) => sql`
  (select ${name}::text as part, ${ms('measured_at')} as at, ${column(series)} as value
  from ${rest})`

/** The last reading of up to `holdMs` before the span, and those of its first and last partial hour, ascending. */
export async function readEdges(
  ctx: TenantTx,
  series: Series,
  span: Span,
  { holdMs, firstHour, endHour }: { holdMs: number; firstHour: number; endHour: number },
): Promise<ReadingRow[]> {
  const before = sql`${readings(ctx, series, span.from - holdMs, span.from)} order by measured_at desc limit 1`
  return allRows<ReadingRow>(ctx.tx)`
    ${part('before', series, before)}
    union all ${part('left', series, readings(ctx, series, span.from, firstHour))}
    union all ${part('right', series, readings(ctx, series, endHour, span.to + 1))}
    order by at`
}

export interface HoursRow {
  n: number
  sum: number
  min: number
  max: number
  covered: number
  spoil: number
  gap: number
  /** Hours, ms since 1970: the first with readings, and the first with the lowest, the highest and the longest wait. */
  first: number
  minHour: number
  maxHour: number
  gapHour: number
}

// Room for the number of an hour (since 1970) beside a value in one int8: the least of such keys is the first with the least value.
const room = 2 ** 20
const firstLeast = (value: string) => sql.raw(`min(${value}::int8 * ${room} + hour)`)
const firstMost = (value: string) => sql.raw(`max(${value}::int8 * ${room} + ${room - 1} - hour)`)

interface AddedRow {
  n: number
  sum: number
  covered: number
  spoil: number
  least: string
  most: string
  longest: string
  first: number
}

/** Adds up the rollups of whole hours; null where there are no readings. `offset 0`: each hour's number is worked out but once. */
export async function addHours(
  ctx: TenantTx,
  series: Series,
  hours: { first: number; end: number },
): Promise<HoursRow | null> {
  const spoil = series.measure === 'temperature' ? sql`sum(temperature_spoil_sum)` : sql`0::float8`
  const row = await firstRow<AddedRow>(ctx.tx)`
    select sum(${rollup(series, 'n')})::float8 as n, sum(${rollup(series, 'sum_centi')})::float8 as sum,
      sum(${rollup(series, 'covered_ms')})::float8 as covered, ${spoil} as spoil,
      ${firstLeast(`${series.measure}_min_centi`)} as least, ${firstMost(`${series.measure}_max_centi`)} as most,
      ${firstMost(`${series.measure}_gap_ms`)} as longest, min(hour)::float8 as first
    from (select *, (date_part('epoch', bucket) / 3600)::int4 as hour from ${rollups(ctx, series, hours)} offset 0) as hours
    having count(*) > 0`
  if (!row) return null
  const [least, most, longest] = [splitKey(row.least), splitKey(row.most), splitKey(row.longest)]
  return {
    n: row.n,
    sum: row.sum,
    min: least.value,
    max: most.value,
    covered: row.covered,
    spoil: row.spoil,
    gap: longest.value,
    first: row.first * hourMs,
    minHour: least.rest * hourMs,
    maxHour: (room - 1 - most.rest) * hourMs,
    gapHour: (room - 1 - longest.rest) * hourMs,
  }
}

/** The value and what stands beside it in a key; the value may be below zero. */
function splitKey(key: string): { value: number; rest: number } {
  const rest = Number(BigInt.asUintN(20, BigInt(key)))
  return { value: Number(BigInt(key) >> 20n), rest }
}

const rollups = (ctx: TenantTx, series: Series, hours: { first: number; end: number }) => sql`
  readings_hourly where company_id = ${ctx.companyId} and device_id = ${series.deviceId}
  and bucket >= ${new Date(hours.first)} and bucket < ${new Date(hours.end)} and ${rollup(series, 'n')} > 0`

/** The last of some hours with readings, ms since 1970. */
export async function lastHour(
  ctx: TenantTx,
  series: Series,
  hours: { first: number; end: number },
): Promise<number | null> {
  const { rows } = await sql<{ at: number }>`
    select ${ms('bucket')} as at from ${rollups(ctx, series, hours)} order by bucket desc limit 1`.execute(ctx.tx)
  return rows[0]?.at ?? null
}

/** The readings that rollups speak of, by part: `min`, `max`, `gap`, `first`; `right`: a whole hour. */
export async function findReadings(
  ctx: TenantTx,
  series: Series,
  hours: HoursRow | null,
  rightHour: number | null,
): Promise<ReadingRow[]> {
  const inHour = (hour: number, more: RawBuilder<unknown>) =>
    sql`${readings(ctx, series, hour, hour + hourMs)} ${more} order by measured_at limit 1`
  const parts: RawBuilder<unknown>[] = []
  if (hours) {
    const { minHour, maxHour, gapHour } = hours
    parts.push(
      part('min', series, inHour(minHour, sql`and ${column(series)} = ${hours.min}`)),
      part('max', series, inHour(maxHour, sql`and ${column(series)} = ${hours.max}`)),
      part('first', series, inHour(hours.first, sql``)),
      sql`(select 'gap', at, value from (
          select ${ms('measured_at')} as at, ${column(series)} as value,
            ${ms('lead(measured_at) over (order by measured_at)')} as next
          from ${readings(ctx, series, gapHour, gapHour + hourMs + hours.gap)}) as waits
        where next - at = ${hours.gap}::float8 order by at limit 1)`,
    )
  }
  if (rightHour !== null) parts.push(part('right', series, readings(ctx, series, rightHour, rightHour + hourMs)))
  if (parts.length === 0) return []
  return allRows<ReadingRow>(ctx.tx)`${sql.join(parts, sql` union all `)} order by at`
}

interface Stretch {
  from: number
  until: number
  holdMs: number
}

/** How long the readings measured from `from` until before `until` hold within the span, `holdMs` at most; ms. */
export async function heldMs(ctx: TenantTx, series: Series, span: Span, stretch: Stretch): Promise<number> {
  const { from, until, holdMs } = stretch
  const hours = {
    first: Math.ceil(Math.max(from, span.from) / hourMs) * hourMs,
    end: Math.floor((Math.min(until, span.to) - holdMs) / hourMs) * hourMs,
  }
  // The last hour is left to the raw readings: its own last one may have had no next one yet.
  const last = hours.first < hours.end ? await lastHour(ctx, series, hours) : null
  if (last === null) return heldRaw(ctx, series, span, stretch)
  const [before, within, after] = await Promise.all([
    heldRaw(ctx, series, span, { from, until: hours.first, holdMs }),
    heldInHours(ctx, series, { first: hours.first, end: last }),
    heldRaw(ctx, series, span, { from: last, until, holdMs }),
  ])
  return before + within + after
}

async function heldInHours(ctx: TenantTx, series: Series, hours: { first: number; end: number }): Promise<number> {
  const { rows } = await sql<{ held: number | null }>`
    select sum(${rollup(series, 'covered_ms')})::float8 as held from ${rollups(ctx, series, hours)}`.execute(ctx.tx)
  return rows[0]?.held ?? 0
}

async function heldRaw(ctx: TenantTx, series: Series, span: Span, { from, until, holdMs }: Stretch): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(sum(greatest(0, least(next, at + ${holdMs}::float8, ${span.to}::float8) - greatest(at, ${span.from}::float8))), 0) as held
    from (select ${ms('measured_at')} as at, ${ms('lead(measured_at) over (order by measured_at)')} as next
      from ${readings(ctx, series, from, Math.min(until + holdMs, span.to + 1))}) as waits
    where at < ${until}::float8`.execute(ctx.tx)
  return rows[0]?.held ?? 0
}

export interface ExcursionPart {
  id: string
  startAt: number
  ms: number
}

export interface ExcursionTotals {
  count: number
  aboveMs: number
  belowMs: number
  longest: ExcursionPart | null
  shortest: ExcursionPart | null
}

/** The excursions that reach into the span, each as far as it lies within. */
export async function addExcursions(ctx: TenantTx, series: Series, span: Span): Promise<ExcursionTotals> {
  const one = sql`json_build_object('id', id::text, 'startAt', ${ms('start_at')}, 'ms', ms)`
  const { rows } = await sql<ExcursionTotals>`
    select count(*)::int as count, coalesce(sum(ms) filter (where side = 'above'), 0) as "aboveMs",
      coalesce(sum(ms) filter (where side = 'below'), 0) as "belowMs",
      (array_agg(${one} order by ms desc, start_at))[1] as longest,
      (array_agg(${one} order by ms, start_at))[1] as shortest
    from (select id, side, start_at, ${withinSql(span)} as ms from excursions e
      where e.company_id = ${ctx.companyId} and e.device_id = ${series.deviceId} and e.measure = ${series.measure}
        and ${reachesIntoSql(span)}) as parts`.execute(ctx.tx)
  return rows[0] ?? { count: 0, aboveMs: 0, belowMs: 0, longest: null, shortest: null }
}
