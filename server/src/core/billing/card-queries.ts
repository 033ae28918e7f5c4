import type { Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Cards } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { FoundCard } from '../../platform/payments/provider.ts'

export type CardRow = Selectable<Cards>

/** The cards that were not removed, the default first, then the newest. */
export const listCards = ({ tx, companyId }: TenantTx): Promise<CardRow[]> =>
  tx
    .selectFrom('cards')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('state', '!=', 'removed')
    .orderBy('is_default', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** A card, a removed one too. */
export const cardById = ({ tx, companyId }: TenantTx, id: string): Promise<CardRow | undefined> =>
  tx.selectFrom('cards').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirst()

export type CardFacts = Pick<FoundCard, 'email' | 'fingerprint' | 'brand' | 'last4' | 'bank'> & {
  provider: string
  exp_month: number
  exp_year: number
}

/** Keeps a card, once for each mail address: one that is known has its new facts, and is usable again. */
export async function upsertCard(
  { tx, companyId }: TenantTx,
  { provider, email, fingerprint, brand, last4, bank, exp_month, exp_year }: CardFacts,
  now: Date,
): Promise<CardRow> {
  const [card] = await allRows<CardRow>(tx)`
    insert into cards (company_id, provider, email, fingerprint, brand, last4, bank, exp_month, exp_year, state, created_at)
    values (${companyId}, ${provider}, ${email}, ${fingerprint}, ${brand}, ${last4}, ${bank}, ${exp_month}, ${exp_year}, 'active', ${now})
    on conflict (company_id, provider, fingerprint, email) where state <> 'removed' do update
    set brand = excluded.brand, last4 = excluded.last4, bank = excluded.bank,
      end_told_at = case when (cards.exp_year, cards.exp_month) = (excluded.exp_year, excluded.exp_month) then cards.end_told_at end,
      end_told_again_at = case when (cards.exp_year, cards.exp_month) = (excluded.exp_year, excluded.exp_month) then cards.end_told_again_at end,
      exp_month = excluded.exp_month, exp_year = excluded.exp_year, state = 'active', reason = null
    returning *`
  if (!card) throw new Error('no card')
  return card
}

export const updateCard = (
  { tx, companyId }: TenantTx,
  id: string,
  change: Partial<Pick<CardRow, 'state' | 'reason' | 'token_sealed' | 'is_default'>>,
): Promise<CardRow> =>
  tx
    .updateTable('cards')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Makes a card the one that is offered first; no other is any more. */
export async function makeDefault(of: TenantTx, id: string): Promise<CardRow> {
  await of.tx
    .updateTable('cards')
    .set({ is_default: false })
    .where('company_id', '=', of.companyId)
    .where('is_default', '=', true)
    .where('id', '!=', id)
    .execute()
  return updateCard(of, id, { is_default: true })
}

/** Where there is no default, the newest card that can be charged is it. */
export const electDefault = async ({ tx, companyId }: TenantTx): Promise<void> => {
  await firstRow(tx)`
    update cards set is_default = true
    where company_id = ${companyId} and id = (
      select id from cards where company_id = ${companyId} and state = 'active' order by created_at desc, id desc limit 1)
    and not exists (select from cards where company_id = ${companyId} and is_default)`
}

/** Whether a charge of the card may be under way: nobody knows yet how it ends. */
export async function isCharging({ tx, companyId }: TenantTx, cardId: string): Promise<boolean> {
  const found = await firstRow<object>(tx)`
    select from payments where company_id = ${companyId} and card_id = ${cardId}
      and state in ('created', 'sent', 'action', 'pending') limit 1`
  return found !== undefined
}

/** The uses of a card: paid by it from its next period on, or by itself. */
export interface CardUses {
  card_id: string
  subscriptions: number
  topups: number
}

export const usesOfCards = ({ tx, companyId }: TenantTx): Promise<CardUses[]> =>
  allRows<CardUses>(tx)`
    select card_id, sum(subscriptions)::int as subscriptions, sum(topups)::int as topups from (
      select card_id, 1 as subscriptions, 0 as topups from subscriptions
      where company_id = ${companyId} and card_id is not null and state in ('active', 'past_due') and not cancel_at_end
      union all
      select topup_card_id, 0, 1 from wallets where company_id = ${companyId} and topup_card_id is not null) used
    group by card_id`

/** The provider's id of the company as a payer; null: it has none. */
export async function customerOf({ tx, companyId }: TenantTx, provider: string): Promise<string | null> {
  const found = await tx
    .selectFrom('provider_customers')
    .select('customer_ref')
    .where('company_id', '=', companyId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return found?.customer_ref ?? null
}

export const putCustomer = ({ tx, companyId }: TenantTx, provider: string, customer: string) =>
  tx
    .insertInto('provider_customers')
    .values({ company_id: companyId, provider, customer_ref: customer })
    .onConflict((conflict) => conflict.columns(['company_id', 'provider']).doUpdateSet({ customer_ref: customer }))
    .execute()

/** A provider that does not take the payer any more, as after a change of its account, gets a new one with the next page. */
export const forgetCustomer = ({ tx, companyId }: TenantTx, provider: string) =>
  tx.deleteFrom('provider_customers').where('company_id', '=', companyId).where('provider', '=', provider).execute()

export interface EndingCard {
  company_id: number
  id: string
  ends_at: Date
  /** It was said once. */
  isAgain: boolean
}

/** Cards that end within so many days, renew a subscription or top up a wallet, and of which that was not said for the first or the second time. As pipeline. */
export const cardsEnding = (
  tx: Tx,
  days: { first: number; again: number },
  now: Date,
  max: number,
): Promise<EndingCard[]> =>
  allRows<EndingCard>(tx)`
    select c.company_id, c.id, c.ends_at, c.is_again as "isAgain" from (
      select company_id, id, end_told_at is not null as is_again, make_timestamptz(exp_year, exp_month, 1, 0, 0, 0, 'UTC') + interval '1 month' as ends_at
      from cards where state = 'active' and end_told_again_at is null) c
    where c.ends_at > ${now}
      and c.ends_at <= ${now}::timestamptz + case when c.is_again then ${days.again}::int4 else ${days.first}::int4 end * interval '24 hours' and (
      exists (select from subscriptions s where s.company_id = c.company_id and s.card_id = c.id
        and s.state in ('active', 'past_due') and not s.cancel_at_end)
      or exists (select from wallets w where w.company_id = c.company_id and w.topup_card_id = c.id))
    order by c.company_id, c.id limit ${max}`

/** Keeps that it was said, or said again, which also stands for a first time that came so late; undefined where it was before. */
export const noteCardEnd = (
  { tx, companyId }: TenantTx,
  { id, isAgain }: Pick<EndingCard, 'id' | 'isAgain'>,
  isLast: boolean,
  now: Date,
): Promise<CardRow | undefined> =>
  tx
    .updateTable('cards')
    .set({ ...(isAgain ? {} : { end_told_at: now }), ...(isAgain || isLast ? { end_told_again_at: now } : {}) })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where(isAgain ? 'end_told_again_at' : 'end_told_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
