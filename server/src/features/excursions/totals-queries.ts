import { sql } from 'kysely'
import { withinSql } from '../../core/devices/excursion-sql.ts'
import { allRows } from '../../platform/db/rows.ts'
import { type ExcursionFilter, found, type Reader, type Span } from './queries.ts'

/** The total of all excursions, of a device, or of a cause; `kind` says which. */
export interface TotalRow {
  kind: 'all' | 'device' | 'cause'
  device_id: number | null
  device_name: string | null
  cause_key: string | null
  cause_name: string | null
  count: number
  out_ms: number
  longest_ms: number
}

/**
 * Whether a device `d` counts in figures of the fleet: made-up readings are no evidence, so a sample device counts where no real one is there,
 * or where it alone is asked for.
 */
const countsSql = ({ companyId }: Reader, { deviceId }: ExcursionFilter) =>
  deviceId === undefined
    ? sql`(d.sample_until is null or not exists (select from devices o where o.company_id = ${companyId} and o.sample_until is null))`
    : sql`true`

/** Excursions added up by device and by cause, those with the most time outside first. */
export const addUpFleet = (ctx: Reader, span: Span, wanted: ExcursionFilter): Promise<TotalRow[]> =>
  allRows<TotalRow>(ctx.tx)`
    select case when grouping(device_id) = 0 then 'device' when grouping(cause_key) = 0 then 'cause' else 'all' end as kind,
      device_id, device_name, cause_key, cause_name, count(*)::int as count,
      coalesce(sum(ms), 0)::float8 as out_ms, coalesce(max(ms), 0)::float8 as longest_ms
    from (select e.device_id, d.name as device_name, own.cause_key, own.cause_name,
        greatest(0, ${withinSql(span, sql`h.hidden_at`)}) as ms
      ${found(ctx, span, wanted, true)} and ${countsSql(ctx, wanted)}) as e
    group by grouping sets ((device_id, device_name), (cause_key, cause_name), ())
    order by kind, out_ms desc, count desc, lower(coalesce(device_name, cause_name)) nulls last, device_id`
