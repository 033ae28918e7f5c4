import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** The devices that events of an order are of, and that are private now. */
export const privateDevicesOf = async ({ tx, companyId }: TenantTx, orderId: string): Promise<number[]> =>
  (
    await allRows<{ id: number }>(tx)`
      select distinct d.id from order_events e join devices d on d.company_id = e.company_id and d.id = e.device_id
      where e.company_id = ${companyId} and e.order_id = ${orderId}::int8 and d.visibility = 'private'`
  ).map(({ id }) => id)
