import { type TaxRate, taxNoteOf } from '../../domain/tax.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { findSeller } from '../provider/seller.ts'
import { taxRatesAt } from '../provider/taxes.ts'
import type { AccountRow } from './account-queries.ts'

/** The taxes that a company pays now, or why it pays none. */
export interface Taxes {
  rates: TaxRate[]
  /** As `Price` has it. */
  taxNote: string | null
}

/**
 * The taxes of an account now; one that gave no details yet pays those of its company's country. As the login role: the account is
 * read before.
 */
export async function taxesNow(
  tx: Tx,
  account: AccountRow | undefined,
  company: { country: string | null; timezone: string },
  now: Date,
): Promise<Taxes> {
  const country = account?.country ?? company.country ?? ''
  const seller = await findSeller(tx)
  const taxNote =
    account && seller
      ? taxNoteOf(
          {
            country,
            taxNumber: account.tax_number,
            verified: account.verified_tax_number,
            exemptReason: account.tax_exempt_reason,
          },
          seller.country,
        )
      : null
  return { rates: taxNote ? [] : await taxRatesAt(tx, country, now, account?.zone ?? company.timezone), taxNote }
}
