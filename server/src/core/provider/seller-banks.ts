import type { BankDetails } from '@isotherm/contract/billing.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface SellerBank extends BankDetails {
  currency: string
}

// As the login role.

/** The seller's bank accounts: one for each currency that transfers are taken in. */
export const listSellerBanks = (tx: Tx): Promise<SellerBank[]> =>
  allRows<SellerBank>(tx)`select currency, holder, bank, account, bic, branch from seller_banks order by currency`

/** The account that transfers of a currency go to; undefined: there are none in it. */
export const sellerBankOf = async (tx: Tx, currency: string): Promise<SellerBank | undefined> =>
  (await listSellerBanks(tx)).find((bank) => bank.currency === currency)

export async function putSellerBank(tx: Tx, bank: SellerBank, now: Date): Promise<void> {
  const values = { ...bank, changed_at: now }
  await tx
    .insertInto('seller_banks')
    .values(values)
    .onConflict((conflict) => conflict.column('currency').doUpdateSet(values))
    .execute()
}

export const deleteSellerBank = (tx: Tx, currency: string) =>
  tx.deleteFrom('seller_banks').where('currency', '=', currency).execute()
