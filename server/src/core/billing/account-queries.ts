import type { Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { BillingAccounts } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type AccountRow = Selectable<BillingAccounts>
export type AccountDetails = Pick<AccountRow, 'name' | 'address' | 'country' | 'tax_number'> &
  Partial<Pick<AccountRow, 'email'>>

export const findAccount = ({ tx, companyId }: TenantTx): Promise<AccountRow | undefined> =>
  tx.selectFrom('billing_accounts').selectAll().where('company_id', '=', companyId).executeTakeFirst()

/** Locked until the transaction ends: before the company's payments, purchases, invoices and wallets, always. */
export const lockAccount = ({ tx, companyId }: TenantTx): Promise<AccountRow | undefined> =>
  tx.selectFrom('billing_accounts').selectAll().where('company_id', '=', companyId).forUpdate().executeTakeFirst()

/** Sets the details of an account, which it makes where there is none. */
export const putAccount = (
  { tx, companyId }: TenantTx,
  details: AccountDetails & Pick<AccountRow, 'currency' | 'zone'>,
  now: Date,
): Promise<AccountRow> =>
  tx
    .insertInto('billing_accounts')
    .values({ company_id: companyId, ...details, created_at: now, changed_at: now })
    .onConflict((conflict) =>
      conflict.column('company_id').doUpdateSet(({ eb, ref }) => ({
        ...details,
        changed_at: now,
        version: eb(ref('billing_accounts.version'), '+', 1),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Keeps the operator's word on a company's taxes. */
export const putTaxStanding = (
  { tx, companyId }: TenantTx,
  standing: Partial<Pick<AccountRow, 'verified_tax_number' | 'tax_exempt_reason'>>,
) => tx.updateTable('billing_accounts').set(standing).where('company_id', '=', companyId).execute()

/** Whether the company has paid anything, or a payment of its may still come in, or is owed, or it has set how much money units may cost. */
export async function hasPayments({ tx, companyId }: TenantTx): Promise<boolean> {
  const found = await firstRow<object>(tx)`
    select from payments
    where company_id = ${companyId} and (state in ('succeeded', 'review', 'closed') or check_at is not null or provider = 'transfer')
    union all select from wallets where company_id = ${companyId} and topup_monthly_max is not null limit 1`
  return found !== undefined
}

/** An instant: from then on nothing is charged by itself. Null: it goes on. */
export const setPaused = ({ tx, companyId }: TenantTx, at: Date | null) =>
  tx.updateTable('billing_accounts').set({ paused_at: at }).where('company_id', '=', companyId).execute()

/** The companies whose accounts are paused, or are not. As pipeline. */
export async function companiesPaused(tx: Tx, arePaused: boolean): Promise<number[]> {
  const rows = await tx
    .selectFrom('billing_accounts')
    .select('company_id')
    .where('paused_at', arePaused ? 'is not' : 'is', null)
    .orderBy('company_id')
    .execute()
  return rows.map(({ company_id: id }) => id)
}
