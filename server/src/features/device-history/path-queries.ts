import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { inHours, inSpan } from './history-queries.ts'
import { type HistoryScope, wholeHours } from './history-scope.ts'

type Span = Pick<HistoryScope, 'deviceId' | 'from' | 'to'>

/** Where a device was: `at` in ms since 1970, degrees times 1e7, hundredths. */
export interface FixRow {
  at: number
  lat: number
  lon: number
  temperature: number | null
  humidity: number | null
}

const columns = sql`(extract(epoch from measured_at) * 1000)::float8 as at, lat_e7 as lat, lon_e7 as lon,
  temperature_centi as temperature, humidity_centi as humidity`

/** A reading, with where the device was if it knew. */
export type MaybeFixRow = Omit<FixRow, 'lat' | 'lon'> & { lat: number | null; lon: number | null }

/** Every reading of the period, ascending. */
export const readFixes = (ctx: TenantTx, span: Span): Promise<MaybeFixRow[]> =>
  allRows<MaybeFixRow>(ctx.tx)`
    select ${columns} from readings where ${inSpan(ctx, span)} order by measured_at`

/** A wait for a next reading: it began within the hour from `hour` on. Instants and lengths in ms. */
export interface Silence {
  hour: number
  lengthMs: number
}

/** The longest wait of every hour of the period, of those longer than `atLeastMs`, as far as the rollups know. */
export async function readSilences(ctx: TenantTx, span: Span, atLeastMs: number): Promise<Silence[]> {
  const hours = wholeHours(span)
  if (!hours) return []
  return allRows<Silence>(ctx.tx)`
    select (extract(epoch from bucket) * 1000)::float8 as hour,
      greatest(temperature_gap_ms, humidity_gap_ms)::float8 as "lengthMs"
    from readings_hourly where ${inHours(ctx, span.deviceId, hours)}
      and greatest(temperature_gap_ms, humidity_gap_ms) > ${atLeastMs} order by bucket`
}

/** The first fix of each of `count` equal parts of the period, ascending: a look-up each, however many readings there are. */
export async function sampleFixes(ctx: TenantTx, { deviceId, from, to }: Span, count: number): Promise<FixRow[]> {
  const stepMs = Math.ceil((to - from + 1) / count)
  return allRows<FixRow>(ctx.tx)`
    select fix.* from generate_series(0, ${count - 1}::int) as part
    cross join lateral (
      select ${columns} from readings
      where company_id = ${ctx.companyId} and device_id = ${deviceId}
        and measured_at >= ${new Date(from)}::timestamptz + part * ${stepMs}::float8 * interval '1 millisecond'
        and measured_at < ${new Date(from)}::timestamptz + (part + 1) * ${stepMs}::float8 * interval '1 millisecond'
        and measured_at <= ${new Date(to)} and lat_e7 is not null and lon_e7 is not null
      order by measured_at limit 1) as fix
    order by part`
}
