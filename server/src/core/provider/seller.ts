import type { Selectable } from 'kysely'
import type { Seller } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type SellerRow = Selectable<Seller>
export type SellerDetails = Pick<SellerRow, 'name' | 'address' | 'country' | 'tax_number' | 'email'>

/** The operator as invoices name them. As the login role. */
export const findSeller = (tx: Tx): Promise<SellerRow | undefined> =>
  tx.selectFrom('seller').selectAll().executeTakeFirst()

export async function putSeller(tx: Tx, details: SellerDetails, now: Date): Promise<void> {
  const values = { ...details, changed_at: now }
  await tx
    .insertInto('seller')
    .values(values)
    .onConflict((conflict) => conflict.column('is_seller').doUpdateSet(values))
    .execute()
}
