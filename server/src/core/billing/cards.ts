import { z } from 'zod'
import type { TenantTx } from '../../platform/context.ts'
import type { ChargeableCard, FoundCard } from '../../platform/payments/provider.ts'
import { seal, unseal } from '../../platform/secrets/seal.ts'
import { type CardRow, cardById, electDefault, putCustomer, updateCard, upsertCard } from './card-queries.ts'

const Sealed = z.strictObject({ token: z.string(), email: z.string(), customer: z.string().nullable() })

const placeOf = ({ company_id: companyId, id }: CardRow) => ({ column: 'cards.token_sealed', companyId, id })

/** The card as its provider charges it; null: it was removed, or the installation's secret is another one. */
export function chargeableOf(secret: Buffer, card: CardRow): ChargeableCard | null {
  const text = card.token_sealed && unseal(secret, placeOf(card), card.token_sealed)
  return text ? Sealed.parse(JSON.parse(text)) : null
}

/** A provider may say anything of a card: that must not keep its payment from being settled. */
export const isWhole = ({ last4, expMonth, expYear }: FoundCard): boolean =>
  /^[0-9]{4}$/.test(last4) && expMonth >= 1 && expMonth <= 12 && expYear >= 2000 && expYear < 3000

/** Keeps a card that its provider may charge again: a known one with its newest code. */
export async function keepCard(
  of: TenantTx & { secret: Buffer; now: Date },
  provider: string,
  { token, email, customer, fingerprint, brand, last4, expMonth, expYear, bank }: FoundCard,
): Promise<CardRow> {
  const facts = { provider, email, fingerprint, brand, last4, bank, exp_month: expMonth, exp_year: expYear }
  const card = await upsertCard(of, facts, of.now)
  if (customer) await putCustomer(of, provider, customer)
  const token_sealed = seal(of.secret, placeOf(card), JSON.stringify({ token, email, customer }))
  await updateCard(of, card.id, { token_sealed })
  await electDefault(of)
  return { ...card, token_sealed }
}

/** The bank or the provider will never take it again; a payer may enter it anew. */
export async function markUnusable(of: TenantTx, id: string, reason: string): Promise<void> {
  const card = await cardById(of, id)
  if (card?.state !== 'active') return
  await updateCard(of, id, { state: 'unusable', reason, is_default: false })
  await electDefault(of)
}

/** Cards are good until the end of their month. */
export const hasExpired = ({ exp_month, exp_year }: CardRow, now: Date): boolean =>
  now.getTime() >= Date.UTC(exp_year, exp_month, 1)

/** "Visa 4081" */
export const cardName = ({ brand, last4 }: Pick<CardRow, 'brand' | 'last4'>): string =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ${last4}`
