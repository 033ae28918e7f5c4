import { type RawBuilder, sql } from 'kysely'
import { maxAheadMs } from '../../domain/alarm-silence.ts'

/** Until when the last reading of an excursion `e` outside the limits held, as far as is known now. */
export const heldUntilSql = sql<Date>`coalesce(e.end_at, e.last_at + e.last_hold_ms * interval '1 millisecond')`

const hasBegunSql = (now: Date) => sql<boolean>`start_at <= ${new Date(now.getTime() + maxAheadMs)}`

/**
 * Whether an excursion, the only one with its columns, goes on at `now`. Readings of a clock that is far ahead decide that no more than they
 * become the latest: one that they begin has not begun yet, and one that they end goes on until then.
 */
export const isOpenSql = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`((end_at is null or end_at > ${now}) and ${hasBegunSql(now)})`

/** The same as a table, for one device at a time, or for the first of an order: each half has an index of its own, so that a long past costs nothing. */
export const openExcursionsSql = (now: Date): RawBuilder<unknown> => sql`
  (select * from excursions where end_at is null and ${hasBegunSql(now)}
  union all select * from excursions where end_at > ${now} and ${hasBegunSql(now)})`

/**
 * Whether an excursion `e` lasted after an instant, or began then; it ends before the reading back inside.
 * Three cases, each with an index of its own, so that a long past costs nothing.
 */
export const lastsIntoSql = (from: RawBuilder<Date>): RawBuilder<boolean> =>
  sql<boolean>`(e.start_at >= ${from} or e.end_at > ${from} or (e.end_at is null and ${heldUntilSql} > ${from}))`

/** Whether an excursion `e` reaches into a span (ms since 1970, both ends included). */
export const reachesIntoSql = ({ from, to }: { from: number; to: number }): RawBuilder<boolean> =>
  sql<boolean>`e.start_at <= ${new Date(to)} and ${lastsIntoSql(sql<Date>`${new Date(from)}`)}`

/** How long an excursion `e` that reaches into a span lasts within it, ms; `hidden`: from when on it is not told. */
export const withinSql = ({ from, to }: { from: number; to: number }, hidden = sql`'infinity'`): RawBuilder<number> =>
  sql<number>`(extract(epoch from least(${heldUntilSql}, ${new Date(to)}, ${hidden}) - greatest(e.start_at, ${new Date(from)})) * 1000)::float8`

/**
 * The value of an excursion `e` farthest outside from one instant to another, both included, hundredths: the peak may be of before a device came to
 * the goods, or of after it left them. Where it measured nothing in between, the value that held.
 */
export const peakWithinSql = (from: RawBuilder<Date>, until: RawBuilder<Date>): RawBuilder<number> => {
  const value = sql`case e.measure when 'temperature' then r.temperature_centi else r.humidity_centi end`
  const own = sql`readings r where r.company_id = e.company_id and r.device_id = e.device_id`
  return sql<number>`case when e.peak_at >= ${from} and e.peak_at <= ${until} then e.peak_centi else coalesce(
    (select case e.side when 'above' then max(${value}) else min(${value}) end from ${own}
      and r.measured_at >= greatest(e.start_at, ${from}) and r.measured_at <= ${until}
      and r.measured_at < coalesce(e.end_at, 'infinity')),
    (select ${value} from ${own} and r.measured_at >= e.start_at and r.measured_at < ${from} and ${value} is not null
      order by r.measured_at desc limit 1), e.peak_centi) end`
}
