import { type Insertable, sql } from 'kysely'
import pg from 'pg'
import type { TenantTx } from '../../platform/context.ts'
import type { OrderDevices, OrderItems, OrderReceivers, Orders } from '../../platform/db/schema.ts'
import type { OrderRow } from './order-queries.ts'

type Row<T> = Omit<Insertable<T>, 'company_id' | 'order_id'>

export type ItemDraft = Omit<Row<OrderItems>, 'receiver_id'>

export interface ReceiverDraft extends Omit<Row<OrderReceivers>, 'sequence'> {
  items: ItemDraft[]
}

/** A device of an order; `receiver` is the place in the list of receivers of whom its box is for. */
export interface DeviceDraft extends Omit<Row<OrderDevices>, 'receiver_id'> {
  receiver: number | null
}

/** Stores an order with its receivers, in their sequence, their items, and its devices. Fails with 23505 where the tracking code is taken. */
export async function insertOrder(
  { tx, companyId }: TenantTx,
  order: Omit<Insertable<Orders>, 'company_id'>,
  receivers: readonly ReceiverDraft[],
  devices: readonly DeviceDraft[],
): Promise<OrderRow> {
  const company_id = companyId
  const row = await tx
    .insertInto('orders')
    .values({ ...order, company_id })
    .returningAll()
    .executeTakeFirstOrThrow()
  const of = { company_id, order_id: row.id }
  const stops = await tx
    .insertInto('order_receivers')
    .values(receivers.map(({ items: _items, ...stop }, index) => ({ ...stop, ...of, sequence: index + 1 })))
    .returning(['id', 'sequence'])
    .execute()
  const idOf = new Map(stops.map(({ id, sequence }) => [sequence - 1, id]))
  const items = receivers.flatMap((receiver, index) =>
    receiver.items.map((item) => ({ ...item, ...of, receiver_id: idOf.get(index) ?? '' })),
  )
  await tx.insertInto('order_items').values(items).execute()
  if (devices.length > 0) {
    const rows = devices.map(({ receiver, ...device }) => ({
      ...{ ...device, ...of },
      receiver_id: receiver === null ? null : (idOf.get(receiver) ?? null),
    }))
    await tx.insertInto('order_devices').values(rows).execute()
  }
  return row
}

const maxTries = 5
const isTaken = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === 'orders_code'

/** The same under the first of some new tracking codes that no other order of the company has. */
export async function insertCoded(
  ctx: TenantTx,
  newCode: () => string,
  order: Omit<Insertable<Orders>, 'company_id' | 'tracking_code'>,
  receivers: readonly ReceiverDraft[],
  devices: readonly DeviceDraft[],
): Promise<OrderRow> {
  for (let tries = 1; ; tries++) {
    await sql`savepoint new_order`.execute(ctx.tx)
    try {
      return await insertOrder(ctx, { ...order, tracking_code: newCode() }, receivers, devices)
    } catch (error) {
      if (!isTaken(error) || tries === maxTries) throw error
      await sql`rollback to savepoint new_order`.execute(ctx.tx)
    }
  }
}
