import type { Locale } from '@isotherm/contract/common.ts'
import type { Selectable } from 'kysely'
import { allRows } from '../../platform/db/rows.ts'
import type { StoreItems, StoreWords } from '../../platform/db/schema.ts'
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

type Words = Pick<StoreWords, 'name' | 'text'>

/** The name and the text of a thing in another language than the provider's own. */
export const findItemWords = (tx: Tx, code: string, locale: Locale): Promise<Words | undefined> =>
  tx
    .selectFrom('store_words')
    .select(['name', 'text'])
    .where('code', '=', code)
    .where('locale', '=', locale)
    .executeTakeFirst()

export async function putItemWords(tx: Tx, code: string, locale: Locale, words: Words): Promise<void> {
  await tx
    .insertInto('store_words')
    .values({ code, locale, ...words })
    .onConflict((conflict) => conflict.columns(['code', 'locale']).doUpdateSet(words))
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

/** Its prices and words go with it. */
export const deleteItem = (tx: Tx, code: string) => tx.deleteFrom('store_items').where('code', '=', code).execute()

export interface PricedItem {
  code: string
  name: string
  text: string
  picture: Buffer | null
  picture_type: string | null
  prices: { currency: string; amount: number }[]
}

/** Everything that is on sale, with its price in each currency; with the words of a language where it has them. */
export const listItems = (tx: Tx, locale: Locale | null = null): Promise<PricedItem[]> =>
  allRows<PricedItem>(tx)`
    select i.code, coalesce(w.name, i.name) as name, coalesce(w.text, i.text) as text, i.picture, i.picture_type, coalesce((
      select json_agg(json_build_object('currency', p.currency, 'amount', p.amount) order by p.currency)
      from store_prices p where p.code = i.code), '[]') as prices
    from store_items i left join store_words w on w.code = i.code and w.locale = ${locale}
    order by 2, i.code`
