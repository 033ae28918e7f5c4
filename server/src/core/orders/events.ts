import type { eventSources, OrderEventKind } from '@isotherm/contract/orders.ts'
import type { Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { OrderEvents } from '../../platform/db/schema.ts'

export type OrderEventRow = Selectable<OrderEvents>

/** The author of an event; `userId` is of a person who was logged in. */
export interface EventAuthor {
  source: (typeof eventSources)[number]
  name: string | null
  userId?: string | null
}

export interface EventDraft {
  kind: OrderEventKind
  /** When it happened, in the zone of its place. */
  at: Date
  zone: string
  by: EventAuthor
  receiverId?: string | null
  deviceId?: number | null
  position?: { lat: number; lon: number } | null
  detail?: Record<string, string | number | boolean | null | string[]>
  /** Made by a phone: the same one again stores nothing. */
  requestId?: string | null
}

/** Adds an event to an order, with the time of the database as the time it was heard of. False where one of the same request is there. */
export async function noteEvent({ tx, companyId }: TenantTx, orderId: string, event: EventDraft): Promise<boolean> {
  const { by, position } = event
  const row = await firstRow<{ id: string }>(tx)`
    insert into order_events (company_id, order_id, kind, occurred_at, occurred_zone, recorded_at, source, by_name, user_id,
      receiver_id, device_id, lat, lon, detail, request_id)
    values (${companyId}, ${orderId}::int8, ${event.kind}, ${event.at}, ${event.zone}, now(), ${by.source}, ${by.name},
      ${by.userId ?? null}::int8, ${event.receiverId ?? null}::int8, ${event.deviceId ?? null}::int4,
      ${position?.lat ?? null}::float8, ${position?.lon ?? null}::float8, ${JSON.stringify(event.detail ?? {})}::jsonb,
      ${event.requestId ?? null}::uuid)
    on conflict (company_id, order_id, request_id) where request_id is not null do nothing returning id`
  return row !== undefined
}

/** The events of an order, in the order in which they happened. */
export const eventsOf = ({ tx, companyId }: TenantTx, orderId: string): Promise<OrderEventRow[]> =>
  allRows<OrderEventRow>(tx)`
    select * from order_events where company_id = ${companyId} and order_id = ${orderId}::int8
    order by occurred_at, id`
