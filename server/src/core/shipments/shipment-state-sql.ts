import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../platform/context.ts'
import { heldUntilSql } from '../devices/excursion-sql.ts'
import { visibleSql } from '../devices/visible-devices.ts'
import { isShownSql } from '../visibility/visibility.ts'

/** The legs of a shipment `s` that were not rolled over, as a table `l`. */
const standingLegs = sql`shipment_legs l where l.company_id = s.company_id and l.shipment_id = s.id and l.rolled_at is null`

/** The leg of a shipment `s` that is under way, else the next one, else the last, as a row. */
export const currentLegSql = sql`(select l.* from ${standingLegs}
  order by (l.atd is not null and l.ata is null) desc, (l.ata is null) desc,
    case when l.ata is null then l.sequence else -l.sequence end limit 1)`

/** The last leg of a shipment `s`, as a row. */
export const lastLegSql = sql`(select l.* from ${standingLegs} order by l.sequence desc limit 1)`

const firstLegSql = sql`(select l.* from ${standingLegs} order by l.sequence limit 1)`

/** Whether a shipment `s` is overdue: by what is expected it should have departed, or arrived. */
export const isLateSql = (now: Date): RawBuilder<boolean> => sql<boolean>`(case s.state
  when 'pending' then exists (select from ${firstLegSql} f where f.etd < ${now})
  when 'ongoing' then exists (select from ${lastLegSql} f where f.eta < ${now} and f.ata is null)
  else false end)`

/** Whether a shipment `s` that is not over is planned to arrive within a week. */
export const arrivesSoonSql = (
  now: Date,
): RawBuilder<boolean> => sql<boolean>`(s.state in ('pending', 'ongoing') and exists
  (select from ${lastLegSql} f where f.ata is null and f.eta >= ${now} and f.eta < ${now}::timestamptz + interval '7 days'))`

/** The devices of a shipment `s` that the person sees, as a table `d` with their places `m`. */
export const seenDevicesSql = (ctx: Viewer): RawBuilder<unknown> => sql`shipment_devices m
  join devices d on d.company_id = m.company_id and d.id = m.device_id
  where m.company_id = s.company_id and m.shipment_id = s.id and ${visibleSql(ctx)}`

/** Until when a shipment `s` that has started lasted, as far as is known now. */
export const untilSql = (now: Date): RawBuilder<Date> =>
  sql<Date>`coalesce(s.ended_at, s.cancelled_at, ${now}::timestamptz)`

/** Whether an excursion `e` of a device `d` reaches into the time of a shipment `s` that has started. */
export const excursionWithinSql = (now: Date): RawBuilder<boolean> => sql<boolean>`e.company_id = s.company_id
  and e.device_id = d.id and e.start_at <= ${untilSql(now)}
  and (e.start_at >= s.started_at or e.end_at > s.started_at or (e.end_at is null and ${heldUntilSql} > s.started_at))
  and ${isShownSql('d', 'e.start_at')}`
