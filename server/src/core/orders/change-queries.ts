import { type Insertable, sql, type Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { OrderDevices, Orders } from '../../platform/db/schema.ts'
import type { ReceiverDraft } from './insert-order.ts'

/** Changes columns of an order that is locked and has not started. */
export const updateOrder = ({ tx, companyId }: TenantTx, id: string, values: Updateable<Orders>) =>
  tx
    .updateTable('orders')
    .set({ ...values, version: sql`version + 1` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('state', '=', 'new')
    .returningAll()
    .executeTakeFirstOrThrow()

/** A receiver as it is to be; with the id of the one that is there. */
export interface ChangedReceiverDraft extends ReceiverDraft {
  id: string | undefined
}

// Further than any sequence, so that none is taken twice while they change.
const aside = 10_000

/**
 * Gives an order these receivers in their sequence, with their items; returns their ids. One whom no draft names goes; one with a link
 * that was given out stays as cancelled, at the end, so that the link tells of it. A device that was for somebody who goes is for all.
 */
export async function replaceReceivers(
  { tx, companyId, clock }: TenantTx & { clock: { now(): Date } },
  orderId: string,
  drafts: readonly ChangedReceiverDraft[],
): Promise<string[]> {
  const of = { company_id: companyId, order_id: orderId }
  await sql`delete from order_items where company_id = ${companyId} and order_id = ${orderId}::int8`.execute(tx)
  await sql`update order_receivers set sequence = sequence + ${aside}
    where company_id = ${companyId} and order_id = ${orderId}::int8`.execute(tx)
  const ids: string[] = []
  for (const [index, { id, items, ...columns }] of drafts.entries()) {
    const row = { ...columns, sequence: index + 1 }
    const kept = id
      ? await tx
          .updateTable('order_receivers')
          .set(row)
          .where('company_id', '=', companyId)
          .where('order_id', '=', orderId)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirstOrThrow()
      : await tx
          .insertInto('order_receivers')
          .values({ ...row, ...of })
          .returning('id')
          .executeTakeFirstOrThrow()
    await tx
      .insertInto('order_items')
      .values(items.map((item) => ({ ...item, ...of, receiver_id: kept.id })))
      .execute()
    ids.push(kept.id)
  }
  await sql`update order_devices m set receiver_id = null from order_receivers r
    where m.company_id = ${companyId} and m.order_id = ${orderId}::int8
      and r.company_id = m.company_id and r.id = m.receiver_id and r.sequence > ${aside}`.execute(tx)
  await sql`delete from order_receivers r where r.company_id = ${companyId} and r.order_id = ${orderId}::int8
    and r.sequence > ${aside} and not exists (select from order_links l
      where l.company_id = r.company_id and l.receiver_id = r.id)`.execute(tx)
  await sql`update order_receivers r set sequence = sequence - ${aside} + ${drafts.length}, state = 'cancelled',
      settled_at = ${clock.now()}, snoozed_until = null
    where r.company_id = ${companyId} and r.order_id = ${orderId}::int8 and r.sequence > ${aside}`.execute(tx)
  return ids
}

/** Gives an order these devices instead of those among `seen`. */
export async function replaceDevices(
  { tx, companyId }: TenantTx,
  orderId: string,
  seen: readonly number[],
  rows: readonly Omit<Insertable<OrderDevices>, 'company_id' | 'order_id'>[],
): Promise<void> {
  await sql`delete from order_devices where company_id = ${companyId} and order_id = ${orderId}::int8
    and device_id = any(${seen}::int4[])`.execute(tx)
  if (rows.length === 0) return
  await tx
    .insertInto('order_devices')
    .values(rows.map((row) => ({ ...row, company_id: companyId, order_id: orderId })))
    .execute()
}

/** The ids of the receivers of an order, whatever became of them. */
export async function receiverIdsOf({ tx, companyId }: TenantTx, orderId: string): Promise<Set<string>> {
  const rows = await allRows<{ id: string }>(tx)`
    select id from order_receivers where company_id = ${companyId} and order_id = ${orderId}::int8 and settled_at is null`
  return new Set(rows.map(({ id }) => id))
}
