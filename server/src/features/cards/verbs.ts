import { lockAccount } from '../../core/billing/account-queries.ts'
import { type CardPageRow, cardPageOfCall, insertCardPage } from '../../core/billing/card-page-queries.ts'
import {
  type CardRow,
  type CardUses,
  cardById,
  electDefault,
  isCharging,
  makeDefault,
  updateCard,
  usesOfCards,
} from '../../core/billing/card-queries.ts'
import { forgetCard } from '../../core/billing/forget-card.ts'
import { marketOf } from '../../core/billing/market.ts'
import { newReference } from '../../core/billing/reference.ts'
import { renewByPage } from '../../core/billing/subscription-queries.ts'
import { stopTopUpsBy } from '../../core/wallet/top-up-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'

/** For so long a payer may enter a card on the provider's page. */
const pageMs = 3_600_000

const targetOf = ({ id, brand, last4 }: CardRow) => ({ kind: 'card', id, name: `${brand} ${last4}` })

/** The provider that takes the company's money; null: nothing is sold here. */
export const providerOf = async (ctx: Context): Promise<PaymentProvider | null> =>
  (await marketOf(ctx, ctx.clock.now())).provider

/** Keeps that a page for a card is wanted; a call that was cut off has its page already. Throws PAYMENTS_OFF or CARD_NEEDS_PAYMENT. */
export async function openCardPage(ctx: Context): Promise<{ page: CardPageRow; provider: PaymentProvider }> {
  const provider = await providerOf(ctx)
  if (!provider) throw new AppError('PAYMENTS_OFF')
  if (!provider.beginCard) throw new AppError('CARD_NEEDS_PAYMENT')
  const now = ctx.clock.now()
  const { callKey, person } = ctx
  const begun = callKey && (await cardPageOfCall(ctx, { key: callKey, askedBy: person.id, now }))
  if (begun) return { page: begun, provider }
  const page = await insertCardPage(ctx, {
    provider: provider.name,
    reference: newReference(ctx.services.secret, ctx.companyId),
    asked_by: person.id,
    call_key: callKey,
    created_at: now,
    closes_at: new Date(now.getTime() + pageMs),
  })
  ctx.audit({ action: 'billing.cardPageBegun', target: { kind: 'card', id: page.id, name: page.reference } })
  return { page, provider }
}

/** The card, if it was not removed. Throws NOT_FOUND. */
async function keptCard(ctx: Context, id: string): Promise<CardRow> {
  await lockAccount(ctx)
  const card = await cardById(ctx, id)
  return orNotFound(card && card.state !== 'removed' ? card : undefined)
}

/** Makes a card the first choice. Throws NOT_FOUND or CARD_UNUSABLE. */
export async function chooseFirst(ctx: Context, id: string): Promise<CardRow> {
  const card = await keptCard(ctx, id)
  if (card.state !== 'active') throw new AppError('CARD_UNUSABLE')
  ctx.audit({
    action: 'billing.cardMadeDefault',
    target: targetOf(card),
    before: { isDefault: card.is_default },
    after: { isDefault: true },
  })
  return makeDefault(ctx, id)
}

/**
 * Removes a card; its provider is told once that is committed. Subscriptions that it renewed are paid by a page from now on, and wallets are topped
 * up no more. Throws NOT_FOUND, or PAYMENT_UNDER_WAY while it may be charged.
 */
export async function removeCard(ctx: Context, id: string): Promise<CardUses> {
  const card = await keptCard(ctx, id)
  if (await isCharging(ctx, id)) throw new AppError('PAYMENT_UNDER_WAY')
  const uses = (await usesOfCards(ctx)).find(({ card_id }) => card_id === id)
  await renewByPage(ctx, id)
  await stopTopUpsBy(ctx, id)
  await updateCard(ctx, id, { state: 'removed', is_default: false })
  await electDefault(ctx)
  ctx.audit({ action: 'billing.cardRemoved', target: targetOf(card), before: { brand: card.brand, last4: card.last4 } })
  await ctx.enqueue(forgetCard, { companyId: ctx.companyId, cardId: id })
  return uses ?? { card_id: id, subscriptions: 0, topups: 0 }
}
