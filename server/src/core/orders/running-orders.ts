import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { countRows } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'

type Column = 'driver_id' | 'vehicle_id'

/** The number of orders in progress of a driver or a vehicle, over the alias of its row. */
export const runningOrdersSql = (column: Column, row: string): RawBuilder<number> => sql<number>`(
  select count(*)::int from orders o where o.company_id = ${sql.ref(`${row}.company_id`)}
    and ${sql.ref(`o.${column}`)} = ${sql.ref(`${row}.id`)} and o.state = 'inProgress')`

/** Refuses to delete what an order in progress needs; lock the row before. Throws IN_USE. */
export async function refuseRunning(
  { tx, companyId }: TenantTx,
  column: Column,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const running = await countRows(tx)`
    select count(*)::int as n from orders
    where company_id = ${companyId} and ${sql.ref(column)} = ${id}::int8 and state = 'inProgress'`
  if (running > 0) throw new AppError('IN_USE', { name })
}
