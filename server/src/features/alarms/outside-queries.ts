import { sql } from 'kysely'
import { recordWindowsSql } from '../../core/devices/record-windows.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { Span } from '../../domain/outside-time.ts'
import type { Context } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { targetDevices } from './queries.ts'

/** A count of a cumulative alarm for one of its devices; times in ms since 1970. */
export interface CountedRow {
  id: string
  name: string
  condition: string
  since: number | null
  spans: Span[]
  /** Until when the newest reading of the measure holds. */
  heldUntil: number
  records: { id: number; from: number; to: number | null }[] | null
}

/** More devices of one alarm than this are hardly outside on one day; nobody reads so many. */
const maxCounted = 1_000

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** The counts of an alarm for those of its devices that the person may see and whose present readings are shown, as its rule is now. */
export const countsOf = (ctx: Context, alarmId: string) =>
  allRows<CountedRow>(ctx.tx)`
    select d.id::text as id, d.name, o.condition, ${ms('o.since')} as since, o.spans, ${ms('l.held_until')} as "heldUntil",
      case when a.rule -> 'cumulative' ->> 'window' = 'record' then (
        select ${sql.raw(recordWindowsSql)} from (select d.company_id, d.id as device_id) as wanted) end as records
    from alarms a
    join alarm_outside o on o.company_id = a.company_id and o.alarm_id = a.id and o.counted_from >= a.rule_from
    join devices d on d.company_id = o.company_id and d.id = o.device_id
    cross join lateral (select case when o.condition like 'temperature%' then temperature_at else humidity_at end
        + 3 * d.interval_s * interval '1 second' as held_until
      from device_latest where company_id = d.company_id and device_id = d.id) l
    where a.company_id = ${ctx.companyId} and a.id = ${alarmId}::int8 and d.id in (select d.id ${targetDevices(ctx)})
      and ${isShownSql('d', 'l.held_until')} and (o.since is not null or o.spans <> '[]')
    order by o.since is null, o.device_id, o.condition limit ${maxCounted}`
