import { type RawBuilder, sql } from 'kysely'

/** Until when the last reading of an excursion `e` outside the limits held, as far as is known now. */
export const heldUntilSql = sql<Date>`coalesce(e.end_at, e.last_at + e.last_hold_ms * interval '1 millisecond')`

/**
 * Whether an excursion `e` reaches into a span (ms since 1970, both ends included); it ends before the reading back inside.
 * Three cases, each with an index of its own, so that a long past costs nothing.
 */
export function reachesIntoSql({ from, to }: { from: number; to: number }): RawBuilder<boolean> {
  const start = new Date(from)
  return sql<boolean>`e.start_at <= ${new Date(to)}
    and (e.start_at >= ${start} or e.end_at > ${start} or (e.end_at is null and ${heldUntilSql} > ${start}))`
}

/** How long an excursion `e` that reaches into a span lasts within it, ms; `hidden`: from when on it is not told. */
export const withinSql = ({ from, to }: { from: number; to: number }, hidden = sql`'infinity'`): RawBuilder<number> =>
  sql<number>`(extract(epoch from least(${heldUntilSql}, ${new Date(to)}, ${hidden}) - greatest(e.start_at, ${new Date(from)})) * 1000)::float8`
