import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { TenantTx, Viewer } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { OrderDevices, OrderItems, OrderReceivers, Orders } from '../../platform/db/schema.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { isReceiverLateSql } from './order-state-sql.ts'

export type OrderRow = Selectable<Orders>
export type ReceiverRow = Selectable<OrderReceivers>
export type ItemRow = Selectable<OrderItems>
export type OrderDeviceRow = Selectable<OrderDevices>

/** An order of the company; throws NOT_FOUND for any other. Whoever may view dispatch sees every order; of its devices only those they may see. */
export const findOrder = async (ctx: TenantTx, id: string): Promise<OrderRow> =>
  orNotFound(await loadOrder(ctx, id, sql``))

/** The same, locked until the transaction ends: before its receivers, devices, links and insurance. */
export const lockOrder = async (ctx: TenantTx, id: string): Promise<OrderRow> =>
  orNotFound(await loadOrder(ctx, id, sql`for update`))

const loadOrder = ({ tx, companyId }: TenantTx, id: string, lock: RawBuilder<unknown>) =>
  firstRow<OrderRow>(tx)`select * from orders where company_id = ${companyId} and id = ${id}::int8 ${lock}`

/** Those of these orders that the company has, in no order. */
export const findOrders = ({ tx, companyId }: TenantTx, ids: readonly string[]): Promise<OrderRow[]> =>
  allRows<OrderRow>(tx)`select * from orders where company_id = ${companyId} and id = any(${ids}::int8[])`

/** The receivers of orders, in the sequence of their stops. */
export const receiversOf = ({ tx, companyId }: TenantTx, orderIds: readonly string[]): Promise<ReceiverRow[]> =>
  allRows<ReceiverRow>(tx)`
    select * from order_receivers where company_id = ${companyId} and order_id = any(${orderIds}::int8[])
    order by order_id, sequence`

export const itemsOf = ({ tx, companyId }: TenantTx, orderId: string): Promise<ItemRow[]> =>
  allRows<ItemRow>(tx)`
    select * from order_items where company_id = ${companyId} and order_id = ${orderId}::int8 order by receiver_id, id`

/** All devices of an order: it is the reader's to leave out those that somebody may not see. */
export const devicesOf = ({ tx, companyId }: TenantTx, orderId: string): Promise<OrderDeviceRow[]> =>
  allRows<OrderDeviceRow>(tx)`
    select * from order_devices where company_id = ${companyId} and order_id = ${orderId}::int8 order by device_id`

/** A receiver of an order; throws NOT_FOUND for any other. */
export const findReceiver = async ({ tx, companyId }: TenantTx, orderId: string, id: string): Promise<ReceiverRow> =>
  orNotFound(
    await firstRow<ReceiverRow>(tx)`
      select * from order_receivers where company_id = ${companyId} and order_id = ${orderId}::int8 and id = ${id}::int8`,
  )

/** The receivers of an order whom it reaches, or is expected to reach, too late. */
export async function lateReceiversOf({ tx, companyId, clock }: Viewer, orderId: string): Promise<string[]> {
  const rows = await allRows<{ id: string }>(tx)`
    select r.id from order_receivers r join orders o on o.company_id = r.company_id and o.id = r.order_id
    where r.company_id = ${companyId} and r.order_id = ${orderId}::int8 and ${isReceiverLateSql(clock.now())}`
  return rows.map(({ id }) => id)
}
