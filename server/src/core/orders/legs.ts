import { timeOfLeg } from '../../domain/eta.ts'
import { distanceM } from '../../domain/sphere.ts'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { OrderRow, ReceiverRow } from './order-queries.ts'

interface Departure {
  at: Date
  lat: number
  lon: number
}

/** The last departure of the order before an instant: from a stop where it was, or else from the pick-up. */
const departureBefore = ({ tx, companyId }: TenantTx, order: OrderRow, receiverId: string, at: Date) =>
  firstRow<Departure>(tx)`
    select * from (
      select coalesce(left_pickup_at, started_at) as at, pickup_lat as lat, pickup_lon as lon from orders
      where company_id = ${companyId} and id = ${order.id}::int8
      union all
      select coalesce(departed_at, settled_at), lat, lon from order_receivers
      where company_id = ${companyId} and order_id = ${order.id}::int8 and id <> ${receiverId}::int8
        and arrived_at is not null) as left_at
    where at < ${at} order by at desc limit 1`

/** Keeps the leg that an arrival ends, for estimates to learn from. An arrival before any departure ends none. */
export async function noteArrival(ctx: TenantTx, order: OrderRow, receiver: ReceiverRow, at: Date): Promise<void> {
  const from = await departureBefore(ctx, order, receiver.id, at)
  if (!from) return
  const { hour, isWeekend } = timeOfLeg(from.at.getTime(), receiver.zone)
  const leg = {
    ...{ vehicle_id: order.vehicle_id, departed_at: from.at, arrived_at: at, service_s: null },
    ...{ distance_m: Math.round(distanceM(from, receiver)), local_hour: hour, is_weekend: isWeekend },
  }
  await ctx.tx
    .insertInto('order_legs')
    .values({ ...leg, company_id: ctx.companyId, order_id: order.id, receiver_id: receiver.id })
    // Somebody who was snoozed is reached again.
    .onConflict((conflict) => conflict.columns(['company_id', 'receiver_id']).doUpdateSet(leg))
    .execute()
}

/** Adds to the leg that ended at a stop how long the stop took. */
export async function noteDeparture(ctx: TenantTx, order: OrderRow, receiver: ReceiverRow, at: Date): Promise<void> {
  await firstRow(ctx.tx)`
    update order_legs set service_s = extract(epoch from ${at}::timestamptz - arrived_at)::int4
    where company_id = ${ctx.companyId} and order_id = ${order.id}::int8 and receiver_id = ${receiver.id}::int8
      and service_s is null and arrived_at <= ${at}`
}
