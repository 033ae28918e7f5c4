import type { Outcome } from '@isotherm/contract/orders.ts'
import { sql } from 'kysely'
import { type OrderMove, openStates, orderMoves } from '../../../domain/order-lifecycle.ts'
import { showTrackingCode } from '../../../domain/tracking-code.ts'
import type { TenantTx } from '../../../platform/context.ts'
import { allRows, firstRow } from '../../../platform/db/rows.ts'
import { type EventDraft, noteEvents } from '../../events/note-events.ts'
import type { EventAuthor } from '../events.ts'
import { type OrderRow, type ReceiverRow, receiversOf } from '../order-queries.ts'

/** Whether a phone's request has been heard before. */
export const isHeard = async ({ tx, companyId }: TenantTx, orderId: string, requestId: string | undefined) =>
  requestId !== undefined &&
  (await firstRow(tx)`select from order_events
    where company_id = ${companyId} and order_id = ${orderId}::int8 and request_id = ${requestId}::uuid`) !== undefined

/** Columns that a transition sets besides the state. */
export type Changed = Partial<
  Pick<
    OrderRow,
    | 'started_at'
    | 'ended_at'
    | 'cancelled_at'
    | 'cancel_reason'
    | 'return_to'
    | 'record_id'
    | 'driver_name'
    | 'plate'
    | 'fences_seen_at'
  >
>

/** Makes a transition where the order is in one of the states that it leaves; undefined where it is not. */
export async function moveOrder(
  { tx, companyId }: TenantTx,
  id: string,
  move: OrderMove,
  now: Date,
  changed: Changed,
): Promise<OrderRow | undefined> {
  const moved = await tx
    .updateTable('orders')
    .set((eb) => ({ ...changed, state: orderMoves[move].to, updated_at: now, version: eb('version', '+', 1) }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('state', 'in', orderMoves[move].from)
    .returningAll()
    .executeTakeFirst()
  if (moved)
    await noteEvents(tx, [movedEvent(moved, move, now, move === 'end' ? await stopsOf({ tx, companyId }, id) : null)])
  return moved
}

const eventOfMove = { start: 'order.started', end: 'order.ended', cancel: 'order.cancelled' } as const

/** The outcomes at the stops of an order, as its event tells them. */
async function stopsOf(ctx: TenantTx, orderId: string) {
  const incomplete = Map.groupBy(await incompleteItems(ctx, orderId, null), (item) => item.receiver_id)
  return (await receiversOf(ctx, [orderId])).map(({ id, name, state, outcome_reason: reason }) => ({
    ...{ receiverId: id, receiver: name, outcome: state, reason },
    incomplete: (incomplete.get(id) ?? []).map((item) => ({
      ...{ name: item.name, quantity: item.quantity, delivered: item.delivered_quantity, reason: item.refused_reason },
    })),
  }))
}

function movedEvent(
  order: OrderRow,
  move: OrderMove,
  now: Date,
  stops: Awaited<ReturnType<typeof stopsOf>> | null,
): EventDraft {
  const iso = (at: Date | null) => at?.toISOString() ?? null
  return {
    ...{ companyId: order.company_id, type: eventOfMove[move], key: order.id, at: now },
    data: {
      ...{ orderId: order.id, code: showTrackingCode(order.tracking_code), state: order.state },
      ...{ startedAt: iso(order.started_at), endedAt: iso(order.ended_at), cancelledAt: iso(order.cancelled_at) },
      ...(stops && { stops }),
    },
  }
}

/** Changes what an order keeps beside its state. */
export const updateOrder = (
  { tx, companyId }: TenantTx,
  id: string,
  changed: Partial<
    Pick<
      OrderRow,
      'start_asked_at' | 'end_asked_at' | 'left_pickup_at' | 'driver_id' | 'vehicle_id' | 'driver_name' | 'plate'
    >
  >,
  now: Date,
): Promise<OrderRow> =>
  tx
    .updateTable('orders')
    .set((eb) => ({ ...changed, updated_at: now, version: eb('version', '+', 1) }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Marks the devices of an order as running, or as free: the database holds that a cargo device runs once. */
export const runDevices = ({ tx, companyId }: TenantTx, orderId: string, isRunning: boolean) =>
  sql`update order_devices set is_running = ${isRunning}
    where company_id = ${companyId} and order_id = ${orderId}::int8`.execute(tx)

const open = sql`state = any(${[...openStates]}::text[])`

/** Writes that a stop was reached, also where it was served meanwhile, but later; undefined where that is known already. */
export const setArrived = ({ tx, companyId }: TenantTx, id: string, at: Date): Promise<ReceiverRow | undefined> =>
  firstRow<ReceiverRow>(tx)`
    update order_receivers set arrived_at = ${at}, snoozed_until = null, snooze_reason = null,
      state = case when state = 'waiting' then 'arrived' else state end
    where company_id = ${companyId} and id = ${id}::int8 and arrived_at is null
      and (state = 'waiting' or (state <> 'cancelled' and settled_at >= ${at}::timestamptz))
    returning *`

/** Writes that a stop was left; undefined where nobody was there then, or it was left before. */
export const setDeparted = ({ tx, companyId }: TenantTx, id: string, at: Date): Promise<ReceiverRow | undefined> =>
  firstRow<ReceiverRow>(tx)`
    update order_receivers set departed_at = ${at}
    where company_id = ${companyId} and id = ${id}::int8 and departed_at is null and arrived_at <= ${at}::timestamptz
    returning *`

/** Writes that a stop was reached, or left, before the instant that is known; undefined where it was not. */
export const setVisitBefore = (
  { tx, companyId }: TenantTx,
  id: string,
  { kind, at }: { kind: 'arrived' | 'departed'; at: Date },
): Promise<ReceiverRow | undefined> =>
  firstRow<ReceiverRow>(tx)`
    update order_receivers set arrived_at = case when ${kind === 'arrived'} then ${at}::timestamptz else arrived_at end,
      departed_at = case when ${kind === 'departed'} then ${at}::timestamptz else departed_at end
    where company_id = ${companyId} and id = ${id}::int8 and state <> 'cancelled'
      and case when ${kind === 'arrived'} then arrived_at > ${at}::timestamptz
        else departed_at > ${at}::timestamptz and arrived_at <= ${at}::timestamptz end
    returning *`

/**
 * Writes what became of a stop; undefined where it is settled. A fix tells of an arrival late, where it comes every quarter of an hour:
 * somebody who was served was reached before.
 */
export const setSettled = (
  { tx, companyId }: TenantTx,
  id: string,
  {
    outcome,
    at,
    reason,
    source,
  }: { outcome: Outcome | 'cancelled'; at: Date; reason: string | null; source: EventAuthor['source'] },
): Promise<ReceiverRow | undefined> =>
  firstRow<ReceiverRow>(tx)`
    update order_receivers set state = ${outcome}, settled_at = ${at}, outcome_reason = ${reason},
      settled_source = ${source}, arrived_at = case when arrived_at > ${at}::timestamptz then ${at}::timestamptz else arrived_at end, snoozed_until = null, snooze_reason = null
    where company_id = ${companyId} and id = ${id}::int8 and ${open}
    returning *`

/** Snoozes a stop; undefined where it is settled. Whoever was there comes back: it is to be reached again. */
export const setSnoozed = (
  { tx, companyId }: TenantTx,
  id: string,
  { until, reason }: { until: Date; reason: string | null },
): Promise<ReceiverRow | undefined> =>
  firstRow<ReceiverRow>(tx)`
    update order_receivers set state = 'waiting', snoozed_until = ${until}, snooze_reason = ${reason}, eta = null,
      late_told_at = null, arrived_at = null, departed_at = null
    where company_id = ${companyId} and id = ${id}::int8 and ${open}
    returning *`

/** Ends a snooze, or, with `until`, the one that lasts until then and no longer; undefined where there is none. */
export const setUnsnoozed = (
  { tx, companyId }: TenantTx,
  id: string,
  until: Date | null,
): Promise<ReceiverRow | undefined> =>
  firstRow<ReceiverRow>(tx)`
    update order_receivers set snoozed_until = null, snooze_reason = null
    where company_id = ${companyId} and id = ${id}::int8 and snoozed_until is not null
      and (${until}::timestamptz is null or snoozed_until <= ${until}::timestamptz)
    returning *`

export interface ItemOutcome {
  id: string
  deliveredQuantity: number
  refusedReason: string | null
}

/**
 * Writes what became of the items of a receiver; `unnamed`: of those that nobody names all was delivered, nothing, or so much as nobody
 * knows.
 */
export async function settleItems(
  { tx, companyId }: TenantTx,
  receiverId: string,
  unnamed: 'all' | 'nothing' | 'unknown',
  named: readonly ItemOutcome[],
): Promise<void> {
  await sql`
    update order_items i set delivered_quantity = case
        when n.id is not null then least(i.quantity, n.delivered) when ${unnamed} = 'all' then i.quantity when ${unnamed} = 'nothing' then 0 end,
      refused_reason = n.reason
    from order_items o left join unnest(${named.map(({ id }) => id)}::int8[],
        ${named.map((one) => one.deliveredQuantity)}::int4[], ${named.map((one) => one.refusedReason)}::text[])
      as n (id, delivered, reason) on n.id = o.id
    where o.company_id = ${companyId} and o.receiver_id = ${receiverId}::int8
      and i.company_id = o.company_id and i.id = o.id`.execute(tx)
}

export interface IncompleteItem {
  receiver_id: string
  name: string
  quantity: number
  delivered_quantity: number | null
  refused_reason: string | null
}

/** The most items that an event names. */
const toldItems = 100

/** Items of which not all were taken, or nobody says how many: of an order, or of one receiver. */
export const incompleteItems = (
  { tx, companyId }: TenantTx,
  orderId: string,
  receiverId: string | null,
): Promise<IncompleteItem[]> =>
  allRows<IncompleteItem>(tx)`
    select receiver_id, name, quantity, delivered_quantity, refused_reason from order_items
    where company_id = ${companyId} and order_id = ${orderId}::int8
      and (${receiverId}::int8 is null or receiver_id = ${receiverId}::int8)
      and delivered_quantity is distinct from quantity
    order by id limit ${toldItems}`

/** The receivers of an order, locked until the transaction ends. */
export const lockReceivers = ({ tx, companyId }: TenantTx, orderId: string): Promise<ReceiverRow[]> =>
  allRows<ReceiverRow>(tx)`
    select * from order_receivers where company_id = ${companyId} and order_id = ${orderId}::int8 order by sequence for update`
