import type { WalletKind } from '@isotherm/contract/units.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** When a wallet buys units by itself: fewer than `below` are left. `monthlyMax` is money, in minor units. */
export interface TopUp {
  below: number
  units: number
  cardId: string
  monthlyMax: number
}

/** Sets when a wallet buys units by itself; null: never. */
export const setTopUp = ({ tx, companyId }: TenantTx, id: string, topUp: TopUp | null) =>
  tx
    .updateTable('wallets')
    .set({
      topup_below: topUp?.below ?? null,
      topup_units: topUp?.units ?? null,
      topup_card_id: topUp?.cardId ?? null,
      topup_monthly_max: topUp?.monthlyMax ?? null,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()

/** Wallets that a card topped up are topped up no more. */
export const stopTopUpsBy = ({ tx, companyId }: TenantTx, cardId: string) =>
  tx
    .updateTable('wallets')
    .set({ topup_below: null, topup_units: null, topup_card_id: null, topup_monthly_max: null })
    .where('company_id', '=', companyId)
    .where('topup_card_id', '=', cardId)
    .execute()

const isLow = sql`topup_below is not null and balance - reserved < topup_below`

/** The wallets that have fewer units than they shall have, of the companies after one. As pipeline. */
export const walletsToTopUp = (tx: Tx, after: number, max: number) =>
  allRows<{ company_id: number; kind: WalletKind }>(tx)`
    select company_id, kind from wallets where ${isLow} and company_id > ${after} order by company_id, id limit ${max}`

/** When one of them buys units by itself; undefined: it does not need to. */
export async function topUpOf({ tx, companyId }: TenantTx, kind: WalletKind): Promise<TopUp | undefined> {
  const found = await firstRow<Omit<TopUp, 'monthlyMax'> & { monthlyMax: string }>(tx)`
    select topup_below as below, topup_units as units, topup_card_id as "cardId", topup_monthly_max as "monthlyMax"
    from wallets where company_id = ${companyId} and kind = ${kind} and ${isLow}`
  return found && { ...found, monthlyMax: Number(found.monthlyMax) }
}
