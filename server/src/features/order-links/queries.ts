import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { TenantTx, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

/** The name of a driver. */
export const driverName = async ({ tx, companyId }: TenantTx, driverId: string): Promise<string> =>
  (
    await firstRow<{ name: string }>(tx)`
    select name from drivers where company_id = ${companyId} and id = ${driverId}::int8`
  )?.name ?? ''

/** Whether receivers are told the first name of the driver. */
export const showsDriver = async ({ tx, companyId }: TenantTx): Promise<boolean> =>
  (
    await firstRow<{ shows: boolean }>(tx)`
    select shows_driver_name as shows from dispatch_settings where company_id = ${companyId}`
  )?.shows ?? false

/** Those of these devices that a person may see now. */
export const seenAmong = async (ctx: ViewerTx, ids: readonly number[]): Promise<Set<number>> => {
  const rows = await allRows<{ id: number }>(ctx.tx)`
    select d.id from devices d where ${visibleSql(ctx)} and d.id = any(${ids}::int4[])`
  return new Set(rows.map(({ id }) => id))
}
