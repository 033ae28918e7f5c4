import type { Tx } from '../../platform/db/transaction.ts'

/** The facts of each device of a company that decide who may see it. */
export const devicesSeen = (tx: Tx, companyId: number) =>
  tx.selectFrom('devices').select(['id', 'visibility', 'licence_until']).where('company_id', '=', companyId).execute()
