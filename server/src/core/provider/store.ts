import type { Selectable } from 'kysely'
import { allRows } from '../../platform/db/rows.ts'
import type { StoreItems } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

// All of it as the login role. An amount is in minor units, net.

export type StoreRow = Selectable<StoreItems>

export const findItem = (tx: Tx, code: string): Promise<StoreRow | undefined> =>
  tx.selectFrom('store_items').selectAll().where('code', '=', code).executeTakeFirst()

export async function putItem(tx: Tx, item: Pick<StoreRow, 'code' | 'name' | 'text'>, now: Date): Promise<void> {
  const { name, text } = item
  await tx
    .insertInto('store_items')
    .values({ ...item, changed_at: now })
    .onConflict((conflict) => conflict.column('code').doUpdateSet({ name, text, changed_at: now }))
    .execute()
}

/** The picture of a thing: its bytes and what kind they are; null takes it away. */
export type Picture = { bytes: Buffer; type: 'png' | 'jpg' | 'webp' } | null

export const putItemPicture = (tx: Tx, code: string, picture: Picture) =>
  tx
    .updateTable('store_items')
    .set({ picture: picture?.bytes ?? null, picture_type: picture?.type ?? null })
    .where('code', '=', code)
    .execute()

export async function putItemPrice(tx: Tx, code: string, currency: string, amount: number): Promise<void> {
  await tx
    .insertInto('store_prices')
    .values({ code, currency, amount })
    .onConflict((conflict) => conflict.columns(['code', 'currency']).doUpdateSet({ amount }))
    .execute()
}

/** Its prices go with it. */
export const deleteItem = (tx: Tx, code: string) => tx.deleteFrom('store_items').where('code', '=', code).execute()

export interface PricedItem {
  code: string
  name: string
  text: string
  picture: Buffer | null
  picture_type: string | null
  prices: { currency: string; amount: number }[]
}

/** Everything that is on sale, with its price in each currency. */
export const listItems = (tx: Tx): Promise<PricedItem[]> =>
  allRows<PricedItem>(tx)`
    select i.code, i.name, i.text, i.picture, i.picture_type, coalesce((
      select json_agg(json_build_object('currency', p.currency, 'amount', p.amount) order by p.currency)
      from store_prices p where p.code = i.code), '[]') as prices
    from store_items i order by i.name, i.code`
