import type { ShipmentAttention } from '@isotherm/contract/shipments.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../platform/context.ts'
import { lastsIntoSql } from '../devices/excursion-sql.ts'
import { countsFromText } from '../devices/joining-sql.ts'
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
const arrivesSoonSql = (now: Date): RawBuilder<boolean> => sql<boolean>`(s.state in ('pending', 'ongoing') and exists
  (select from ${lastLegSql} f where f.ata is null and f.eta >= ${now} and f.eta < ${now}::timestamptz + interval '7 days'))`

/** Why somebody should look at a shipment `s`, each as a condition. */
export const attentionSql = (now: Date): Record<ShipmentAttention, RawBuilder<boolean>> => ({
  late: isLateSql(now),
  arrivingSoon: arrivesSoonSql(now),
  unwatched: sql<boolean>`(s.state = 'ongoing' and not exists (select from shipment_devices m
    where m.company_id = s.company_id and m.shipment_id = s.id and m.left_at is null))`,
})

/** The devices of a shipment `s` that the person sees, those that were taken off it among them, as a table `d` with their places `m`. */
export const seenDevicesSql = (ctx: Viewer): RawBuilder<unknown> => sql`shipment_devices m
  join devices d on d.company_id = m.company_id and d.id = m.device_id
  where m.company_id = s.company_id and m.shipment_id = s.id and ${visibleSql(ctx)}`

/** The order of devices by their places, a row with them: those that are in no fruit, then probes by their numbers. */
export const placeOrderText = (row: string): string =>
  `(${row}.place !~ '^pulp') desc, length(${row}.place), ${row}.place`

/** Until when a shipment `s` that has started lasted, as far as is known now. */
export const untilSql = (now: Date): RawBuilder<Date> =>
  sql<Date>`coalesce(s.ended_at, s.cancelled_at, ${now}::timestamptz)`

/** When a device with its place `m` was on a shipment `s` that has started: from when on, and until when. */
export const onSinceSql = sql<Date>`greatest(s.started_at, m.joined_at)`
export const onUntilSql = (now: Date): RawBuilder<Date> => sql<Date>`least(${untilSql(now)}, m.left_at)`

/** The beginning of what counts of a device `d` with its place `m` on a shipment `s`; it ends as its time on the shipment does. */
export const countedSinceSql = sql<Date>`greatest(s.started_at, ${sql.raw(countsFromText)})`

/** The devices of a shipment `s` that has started that the person sees, with their places and what counts of each; it is read once for each. */
const timesSql = (ctx: Viewer): RawBuilder<unknown> => sql`(select d.*, m.place, ${onSinceSql} as on_since,
    ${countedSinceSql} as since, ${onUntilSql(ctx.clock.now())} as until,
    coalesce(m.left_at, s.ended_at, s.cancelled_at) is null as is_on
  from ${seenDevicesSql(ctx)} offset 0)`

/**
 * The devices of a shipment `s` that has started that the person sees, with their places and what counts of each, from `since` to `until`, as
 * a table; those of which nothing counts are left out. They were on it from `on_since` on.
 */
export const countedDevicesSql = (ctx: Viewer): RawBuilder<unknown> =>
  sql`(select c.* from ${timesSql(ctx)} c where s.started_at <= c.until and c.since <= c.until)`

/**
 * Whether a shipment `s` that has started had a device that the person sees at each moment of its time: one of which something counts, or one
 * that is on it and whose first reading since its joining is still awaited.
 */
export const isAttendedSql = (ctx: Viewer): RawBuilder<boolean> => {
  const span = (from: RawBuilder<Date>, to: RawBuilder<Date>) => sql`tstzrange(${from}, greatest(${from}, ${to}), '[]')`
  return sql<boolean>`coalesce((select range_agg(${span(sql<Date>`a.on_since`, sql<Date>`a.until`)}) from ${timesSql(ctx)} a
      where s.started_at <= a.until and (a.since <= a.until or a.is_on))
    @> ${span(sql<Date>`s.started_at`, untilSql(ctx.clock.now()))}, false)`
}

/** Whether an excursion `e` reaches into what counts of a device `d` of `countedDevicesSql` on a shipment `s`. */
export const excursionWithinSql: RawBuilder<boolean> = sql<boolean>`e.company_id = s.company_id
  and e.device_id = d.id and e.start_at <= d.until and ${lastsIntoSql(sql<Date>`d.since`)}
  and ${isShownSql('d', 'e.start_at')}`
