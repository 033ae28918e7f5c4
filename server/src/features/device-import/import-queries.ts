import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'

/** Marks where `takeBack` goes back to. */
export const beginRehearsal = ({ tx }: TenantTx) => sql`savepoint bulk`.execute(tx)

/** Undoes what the transaction did since `beginRehearsal`. */
export const takeBack = ({ tx }: TenantTx) => sql`rollback to savepoint bulk`.execute(tx)

/** The company's devices that these pieces of hardware measure for now. */
export const usesOf = ({ tx, companyId }: TenantTx, imeis: readonly string[]) =>
  tx
    .selectFrom('assignments')
    .select(['imei', 'probe', 'device_id'])
    .where('company_id', '=', companyId)
    .where('valid_to', 'is', null)
    .where('imei', 'in', imeis)
    .execute()
