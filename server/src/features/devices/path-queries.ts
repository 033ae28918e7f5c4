import { sql } from 'kysely'
import type { Context } from '../../platform/http/context.ts'
import { inSpan } from './history-queries.ts'
import type { HistoryScope } from './history-scope.ts'

type Scope = Pick<Context, 'tx' | 'companyId'>
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

/** Every fix of the period, ascending. */
export async function readFixes(ctx: Scope, span: Span): Promise<FixRow[]> {
  const { rows } = await sql<FixRow>`
    select ${columns} from readings where ${inSpan(ctx, span)} and lat_e7 is not null and lon_e7 is not null
    order by measured_at`.execute(ctx.tx)
  return rows
}

/** The first fix of each of `count` equal parts of the period, ascending: a look-up each, however many readings there are. */
export async function sampleFixes(ctx: Scope, { deviceId, from, to }: Span, count: number): Promise<FixRow[]> {
  const stepMs = Math.ceil((to - from + 1) / count)
  const { rows } = await sql<FixRow>`
    select fix.* from generate_series(0, ${count - 1}::int) as part
    cross join lateral (
      select ${columns} from readings
      where company_id = ${ctx.companyId} and device_id = ${deviceId}
        and measured_at >= ${new Date(from)}::timestamptz + part * ${stepMs}::float8 * interval '1 millisecond'
        and measured_at < ${new Date(from)}::timestamptz + (part + 1) * ${stepMs}::float8 * interval '1 millisecond'
        and measured_at <= ${new Date(to)} and lat_e7 is not null and lon_e7 is not null
      order by measured_at limit 1) as fix
    order by part`.execute(ctx.tx)
  return rows
}
