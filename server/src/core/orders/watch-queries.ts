import type { TenantTx } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import { allRows } from '../../platform/db/rows.ts'

/** Keeps up to when the fixes of orders were looked at. As pipeline. */
export const setFencesSeen = (client: Client, seen: readonly { companyId: number; id: string; at: Date }[]) =>
  client.query(
    `update orders o set fences_seen_at = w.at from unnest($1::int4[], $2::int8[], $3::timestamptz[]) as w (company_id, id, at)
     where o.company_id = w.company_id and o.id = w.id and o.fences_seen_at is distinct from w.at`,
    [seen.map(({ companyId }) => companyId), seen.map(({ id }) => id), seen.map(({ at }) => at)],
  )

/** By stop of an order, when it was last snoozed or unsnoozed: what was seen there before is of an earlier try. */
export const lastSnoozes = async ({ tx, companyId }: TenantTx, orderId: string): Promise<Map<string, Date>> =>
  new Map(
    (
      await allRows<{ id: string; at: Date }>(tx)`
        select receiver_id as id, max(occurred_at) as at from order_events
        where company_id = ${companyId} and order_id = ${orderId}::int8 and kind in ('snoozed', 'unsnoozed')
        group by receiver_id having receiver_id is not null`
    ).map(({ id, at }) => [id, at]),
  )

export type Visit = 'arrived' | 'departed'

/** By stop of an order, which of its arrival and its departure stand at the instant that a fence told. */
export const fencedVisits = async ({ tx, companyId }: TenantTx, orderId: string): Promise<Map<string, Visit[]>> =>
  new Map(
    (
      await allRows<{ id: string; visits: Visit[] }>(tx)`
        select r.id, array_agg(distinct e.kind) as visits from order_receivers r
        join order_events e on e.company_id = r.company_id and e.order_id = r.order_id and e.receiver_id = r.id and e.source = 'geofence'
          and ((e.kind = 'arrived' and e.occurred_at = r.arrived_at) or (e.kind = 'departed' and e.occurred_at = r.departed_at))
        where r.company_id = ${companyId} and r.order_id = ${orderId}::int8 group by r.id`
    ).map(({ id, visits }) => [id, visits]),
  )
