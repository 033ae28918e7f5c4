import { sql } from 'kysely'
import { hourMs } from '../../domain/rollup.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, countRows } from '../../platform/db/rows.ts'
import { type HistoryScope, wholeHours } from './history-scope.ts'

type Span = Pick<HistoryScope, 'deviceId' | 'from' | 'to'>

export interface ReadingRow {
  measured_at: Date
  received_at: Date
  temperature_centi: number | null
  humidity_centi: number | null
  light_lux: number | null
  battery_pct: number | null
  lat_e7: number | null
  lon_e7: number | null
}

/** Readings of a span as a condition over `readings`; the bounds on measured_at choose the partitions. */
export const inSpan = (ctx: TenantTx, { deviceId, from, to }: Span) => sql<boolean>`company_id = ${ctx.companyId}
  and device_id = ${deviceId} and measured_at >= ${new Date(from)} and measured_at <= ${new Date(to)}`

/** The hours of a span's rollups as a condition over `readings_hourly`. */
export const inHours = (ctx: TenantTx, deviceId: number, hours: { first: number; end: number }) => sql<boolean>`
  company_id = ${ctx.companyId} and device_id = ${deviceId} and bucket >= ${new Date(hours.first)}
  and bucket < ${new Date(hours.end)}`

async function countRaw(ctx: TenantTx, span: Span): Promise<number> {
  if (span.from > span.to) return 0
  return countRows(ctx.tx)`select count(*)::int as n from readings where ${inSpan(ctx, span)}`
}

/** How many readings a period has: from the rollups, and raw at the edges. */
export async function countReadings(ctx: TenantTx, span: Span): Promise<number> {
  const hours = wholeHours(span)
  if (!hours) return countRaw(ctx, span)
  return countRows(ctx.tx)`
    select (select coalesce(sum(n), 0)::int from readings_hourly where ${inHours(ctx, span.deviceId, hours)})
      + (select count(*)::int from readings where ${inSpan(ctx, { ...span, to: hours.first - 1 })})
      + (select count(*)::int from readings where ${inSpan(ctx, { ...span, from: hours.end })}) as n`
}

// Beyond this many rows the rollups find the hour faster than the database counts rows off.
const farOffset = 1_000

/** A page of a period's readings, newest first. */
export async function readPage(ctx: TenantTx, span: Span, offset: number, limit: number): Promise<ReadingRow[]> {
  const start = offset > farOffset ? await seek(ctx, span, offset) : { to: span.to, offset }
  return allRows<ReadingRow>(ctx.tx)`
    select measured_at, received_at, temperature_centi, humidity_centi, light_lux, battery_pct, lat_e7, lon_e7
    from readings where ${inSpan(ctx, { ...span, to: start.to })}
    order by measured_at desc limit ${limit} offset ${start.offset}`
}

/** Where to start so that fewer rows are counted off: at the end of the hour that holds the reading at `offset`. */
async function seek(ctx: TenantTx, span: Span, offset: number): Promise<{ to: number; offset: number }> {
  const hours = wholeHours(span)
  const newest = hours ? await countRaw(ctx, { ...span, from: hours.end }) : offset
  if (!hours || offset <= newest) return { to: span.to, offset }
  const { rows } = await sql<{ bucket: Date; before: number }>`
    select bucket, before from (
      select bucket, n, (sum(n) over (order by bucket desc) - n)::int as before
      from readings_hourly where ${inHours(ctx, span.deviceId, hours)}) as hours
    where before <= ${offset - newest} order by before desc limit 1`.execute(ctx.tx)
  const hour = rows[0]
  if (!hour) return { to: span.to, offset }
  return { to: hour.bucket.getTime() + hourMs - 1, offset: offset - newest - hour.before }
}
