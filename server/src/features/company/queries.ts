import type { Updateable } from 'kysely'
import type { CompanyRow } from '../../core/company/company.ts'
import type { Companies } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/**
 * Locked until the transaction ends, so that what the audit trail calls 'before' is true. Not `for update`: every
 * row that refers to the company (an audit entry, too) would wait for it, and deadlock with who waits for the trail.
 */
export const lockCompany = (tx: Tx, companyId: number): Promise<CompanyRow> =>
  tx.selectFrom('companies').selectAll().where('company_id', '=', companyId).forNoKeyUpdate().executeTakeFirstOrThrow()

export const updateCompany = (tx: Tx, companyId: number, change: Updateable<Companies>): Promise<CompanyRow> =>
  tx.updateTable('companies').set(change).where('company_id', '=', companyId).returningAll().executeTakeFirstOrThrow()
