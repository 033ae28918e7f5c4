import { sql } from 'kysely'
import type { Leg } from '../../domain/eta.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { ReceiverRow } from './order-queries.ts'
import { isReceiverLateSql } from './order-state-sql.ts'
import { heldSql, type PlaceRow, placesSql } from './place-sql.ts'

/** An order under way with the place where it was last, if a device tells it. */
export interface RunningRow extends Partial<PlaceRow> {
  company_id: number
  id: string
  vehicle_id: string | null
  /** Everybody who may know of any order may know its position. */
  is_public: boolean
  /** The pick-up, and when it was left. */
  left_at: Date
  left_lat: number
  left_lon: number
}

/** Whether a device `d` of an order `o` may be told of to everybody who may know of the order. */
const isShownToAll = sql<boolean>`(d.visibility = 'public' or o.shows_private)`

/**
 * The orders under way of every company, so many of each, those due first first. An estimate is for everybody who may view dispatch, and for receivers:
 * a private device counts only where the order shows it to them. As pipeline.
 */
export const runningOrders = (tx: Tx, now: Date, perCompany: number): Promise<RunningRow[]> =>
  allRows<RunningRow>(tx)`
    with o as materialized (
      select * from (select *, row_number() over (partition by company_id order by deliver_by, id) as place from orders
        where state = 'inProgress') o where o.place <= ${perCompany})
    select o.company_id, o.id, o.vehicle_id, coalesce(o.left_pickup_at, o.started_at) as left_at, o.pickup_lat as left_lat,
      o.pickup_lon as left_lon, exists (select from devices d where d.company_id = o.company_id and d.id = p.device_id
        and d.visibility = 'public') as is_public, p.*
    from o left join (${placesSql({ orders: sql`o`, held: sql`(${heldSql(sql`o`)})`, seen: isShownToAll }, now)}) p on p.order_id = o.id`

/** Whether a receiver `r` of an order `o` is late, and nobody was told. */
const isUntoldSql = (now: Date) => sql`(r.state = 'waiting' and r.late_told_at is null and ${isReceiverLateSql(now)})`

/** Whether it was told that a receiver `r` of an order `o` is late, and all of the estimate lies before the time that is due. */
const isInTimeAgainSql = (
  now: Date,
) => sql`(r.state = 'waiting' and r.late_told_at is not null and r.snoozed_until is null
  and not coalesce((r.eta ->> 'isFrozen')::bool, false)
  and greatest((r.eta ->> 'to')::timestamptz, ${now}::timestamptz) <= coalesce(r.window_by, o.deliver_by))`

export type StopRow = Pick<
  ReceiverRow,
  'company_id' | 'order_id' | 'id' | 'lat' | 'lon' | 'radius_m' | 'zone' | 'state' | 'eta'
> & {
  snoozed_until: Date | null
  due: Date
  arrived_at: Date | null
  departed_at: Date | null
  settled_at: Date | null
  /** It is late, and nobody was told, or in time again. */
  has_news: boolean
}

/** The stops of orders, in their sequence. As pipeline. */
export const stopsOf = (
  tx: Tx,
  orders: readonly Pick<RunningRow, 'company_id' | 'id'>[],
  now: Date,
): Promise<StopRow[]> =>
  allRows<StopRow>(tx)`
    select r.company_id, r.order_id, r.id, r.lat, r.lon, r.radius_m, r.zone, r.state, r.eta, r.snoozed_until,
      coalesce(r.window_by, o.deliver_by) as due, r.arrived_at, r.departed_at, r.settled_at,
      ${isUntoldSql(now)} or ${isInTimeAgainSql(now)} as has_news
    from unnest(${orders.map((order) => order.company_id)}::int4[], ${orders.map(({ id }) => id)}::int8[]) as x (company_id, id)
    join orders o on o.company_id = x.company_id and o.id = x.id
    join order_receivers r on r.company_id = o.company_id and r.order_id = o.id
    order by r.order_id, r.sequence`

/** The newest legs of companies, so many of each. As pipeline. */
export async function newestLegs(
  tx: Tx,
  companyIds: readonly number[],
  perCompany: number,
): Promise<Map<number, Leg[]>> {
  const rows = await allRows<Leg & { companyId: number }>(tx)`
    select c.id as "companyId", l.* from unnest(${companyIds}::int4[]) as c (id)
    cross join lateral (
      select distance_m as "distanceM", extract(epoch from arrived_at - departed_at)::float8 as "durationS",
        local_hour as hour, is_weekend as "isWeekend", service_s as "serviceS"
      from order_legs where company_id = c.id order by arrived_at desc limit ${perCompany}) l`
  return Map.groupBy(rows, ({ companyId }) => companyId)
}

export interface EtaWrite {
  orderId: string
  receiverId: string
  /** JSON; null: there is none any more. */
  eta: string | null
}

/** Locks those of these orders that nobody else holds, in the sequence of their ids. */
export const lockFree = async ({ tx, companyId }: TenantTx, orderIds: readonly string[]): Promise<string[]> =>
  (
    await allRows<{ id: string }>(tx)`
      select id from orders where company_id = ${companyId} and id = any(${orderIds}::int8[]) and state = 'inProgress'
      order by id for update skip locked`
  ).map(({ id }) => id)

/** Writes estimates of receivers of orders that are locked. */
export const writeEtas = ({ tx, companyId }: TenantTx, writes: readonly EtaWrite[]) =>
  sql`
    update order_receivers r set eta = n.eta::jsonb
    from unnest(${writes.map(({ receiverId }) => receiverId)}::int8[], ${writes.map(({ eta }) => eta)}::text[]) as n (id, eta)
    where r.company_id = ${companyId} and r.id = n.id`.execute(tx)

export interface LateRow {
  order_id: string
  tracking_code: string
  id: string
  name: string
  zone: string
  due: Date
  expected: Date
}

const lateFacts = (
  now: Date,
) => sql`r.order_id, o.tracking_code, r.id, r.name, r.zone, coalesce(r.window_by, o.deliver_by) as due,
  greatest((r.eta ->> 'at')::timestamptz, ${now}::timestamptz) as expected`

/** Marks the receivers of locked orders who are late and of whom nobody was told; returns them. */
export const markLate = ({ tx, companyId }: TenantTx, orderIds: readonly string[], now: Date): Promise<LateRow[]> =>
  allRows<LateRow>(tx)`
    update order_receivers r set late_told_at = ${now} from orders o
    where o.company_id = ${companyId} and o.id = any(${orderIds}::int8[])
      and r.company_id = o.company_id and r.order_id = o.id and ${isUntoldSql(now)}
    returning ${lateFacts(now)}`

/** Takes the mark from those of locked orders who are in time again; returns them. */
export const markInTimeAgain = (
  { tx, companyId }: TenantTx,
  orderIds: readonly string[],
  now: Date,
): Promise<LateRow[]> =>
  allRows<LateRow>(tx)`
    update order_receivers r set late_told_at = null from orders o
    where o.company_id = ${companyId} and o.id = any(${orderIds}::int8[]) and o.state = 'inProgress'
      and r.company_id = o.company_id and r.order_id = o.id and ${isInTimeAgainSql(now)}
    returning ${lateFacts(now)}`

/** The address that hears of orders that are late; null: none. */
export const lateMailAddress = async ({ tx, companyId }: TenantTx): Promise<string | null> =>
  (
    await firstRow<{ late_mail: string | null }>(tx)`
      select late_mail from dispatch_settings where company_id = ${companyId}`
  )?.late_mail ?? null
