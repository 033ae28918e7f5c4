import type { OrderAttention, OrderFilter } from '@isotherm/contract/orders.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../platform/context.ts'
import { heldUntilSql, isOpenSql, openExcursionsSql } from '../devices/excursion-sql.ts'
import { visibleSql } from '../devices/visible-devices.ts'
import { isShownSql } from '../visibility/visibility.ts'

/** The receivers of an order `o` who are still to be served, as a table `r`. */
const openReceivers = sql`order_receivers r where r.company_id = o.company_id and r.order_id = o.id and r.settled_at is null`

/** Whether an order `o` is in progress and every receiver who is still to be served is snoozed. */
export const isSnoozedSql = (): RawBuilder<boolean> => sql<boolean>`(o.state = 'inProgress'
  and exists (select from ${openReceivers} and r.snoozed_until is not null)
  and not exists (select from ${openReceivers} and r.snoozed_until is null))`

/** Whether a receiver `r` of an order `o` that is not over is, or is expected, behind the window or the delivery date. */
export const isReceiverLateSql = (now: Date): RawBuilder<boolean> => sql<boolean>`(r.settled_at is null
  and r.snoozed_until is null and o.state in ('new', 'inProgress')
  and greatest((r.eta ->> 'at')::timestamptz, ${now}::timestamptz) > coalesce(r.window_by, o.deliver_by)
  and (r.arrived_at is null or r.arrived_at > coalesce(r.window_by, o.deliver_by)))`

/** Whether an order `o` is late at one of its stops. */
export const isLateSql = (now: Date): RawBuilder<boolean> => sql<boolean>`(o.state in ('new', 'inProgress')
  and exists (select from ${openReceivers} and ${isReceiverLateSql(now)}))`

/** Whether a device `m` of an order tells of its conditions, among all of that order: the ones with its cargo do, or without such those of its vehicle. */
export const tellsSql = sql<boolean>`(m.role = 'cargo' or not bool_or(m.role = 'cargo') over (partition by m.order_id))`

/**
 * The devices whose conditions are those of an order `o`, as a table `d`. The window reads the devices of an order once, by its key, whatever is
 * joined with it.
 */
export const conditionDevicesSql = (ctx: Viewer): RawBuilder<unknown> => sql`
  (select m.*, ${tellsSql} as tells from order_devices m where m.company_id = o.company_id and m.order_id = o.id) m
  join devices d on d.company_id = m.company_id and d.id = m.device_id where m.tells and ${visibleSql(ctx)}`

/**
 * Until when an order `o` that has started lasted, as far as is known now. It is a `case`, because PostgreSQL looks up no row by a `coalesce` under
 * row-level security: it would read all that a device has said since the order began.
 */
export const untilSql = (now: Date): RawBuilder<Date> => sql<Date>`(case when o.ended_at is not null then o.ended_at
  when o.cancelled_at is not null then o.cancelled_at else ${now}::timestamptz end)`

/** Whether an excursion `e` of a device `d` reaches into the time of an order `o` that has started. */
export const excursionWithinSql = (now: Date): RawBuilder<boolean> => sql<boolean>`e.company_id = o.company_id
  and e.device_id = d.id and e.start_at <= ${untilSql(now)}
  and (e.start_at >= o.started_at or e.end_at > o.started_at or (e.end_at is null and ${heldUntilSql} > o.started_at))
  and ${isShownSql('d', 'e.start_at')}`

/** Whether the driver of an order can drive: one who is deleted cannot, as little as one who is inactive. */
export const worksSql = (driver: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${driver}.status`)} = 'active' and ${sql.ref(`${driver}.archived_at`)} is null)`

/** A filter of lists, as a condition over an order `o`. */
export const filterSql = (filter: OrderFilter): RawBuilder<boolean> =>
  filter === 'snoozed' ? isSnoozedSql() : sql<boolean>`o.state = ${filter}`

/** Why somebody should look at an order `o`, each as a condition. */
export const attentionSql = (ctx: Viewer): Record<OrderAttention, RawBuilder<boolean>> => ({
  // All open stops at once: asked of each order by itself, they are looked up thousands of times.
  late: sql<boolean>`(o.state in ('new', 'inProgress') and o.id in (select r.order_id from order_receivers r
    join orders o on o.company_id = r.company_id and o.id = r.order_id
    where r.company_id = ${ctx.companyId} and ${isReceiverLateSql(ctx.clock.now())}))`,
  // The few devices that are out of range come first: those of every order under way are not looked up.
  outOfRange: sql<boolean>`(o.state = 'inProgress' and o.id in (select m.order_id from excursions e
      join order_devices m on m.company_id = e.company_id and m.device_id = e.device_id
      where e.company_id = ${ctx.companyId} and ${isOpenSql(ctx.clock.now())})
    and exists (select from (select d.* from ${conditionDevicesSql(ctx)}) d
    join ${openExcursionsSql(ctx.clock.now())} e on ${excursionWithinSql(ctx.clock.now())}))`,
  insurancePending: sql<boolean>`(o.state = 'new' and exists (select from order_insurances i
    where i.company_id = o.company_id and i.order_id = o.id and i.state = 'requested'))`,
  driverInactive: sql<boolean>`(o.state in ('new', 'inProgress') and exists (select from drivers v
    where v.company_id = o.company_id and v.id = o.driver_id and not ${worksSql('v')}))`,
  vehicleUnavailable: sql<boolean>`(o.state in ('new', 'inProgress') and exists (select from vehicles v
    where v.company_id = o.company_id and v.id = o.vehicle_id
      and (v.out_of_service_at is not null or v.archived_at is not null)))`,
})
