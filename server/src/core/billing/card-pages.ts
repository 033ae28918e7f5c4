import { z } from 'zod'
import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import type { Job, Services } from '../../platform/services.ts'
import { lockAccount } from './account-queries.ts'
import type { PageText } from './begin-payment.ts'
import { type CardPageRow, cardPageById, cardPageByReference, updateCardPage } from './card-page-queries.ts'
import { type CardRow, customerOf, forgetCustomer } from './card-queries.ts'
import { isWhole, keepCard } from './cards.ts'
import { byPayments } from './settle.ts'

/** Has the provider make a page where a card is kept; null: it did not answer, or it refuses. Outside of any transaction. */
export async function beginCardPage(
  { pool, log }: Services,
  provider: PaymentProvider,
  { id, company_id: companyId, reference, closes_at: closesAt }: CardPageRow,
  text: Omit<PageText, 'description'>,
): Promise<CardPageRow | null> {
  const customer = await inTenant(pool, companyId, ({ tx }) => customerOf({ tx, companyId }, provider.name))
  const begun = await provider.beginCard?.({ ...text, reference, customer, closesAt }).catch((err: unknown) => {
    log.warn({ err, companyId, reference }, 'the page of a card was not made')
  })
  return inTenant(pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    if (begun && !('refused' in begun))
      return updateCardPage(of, id, { page_url: begun.url, session_ref: begun.session })
    if (begun) log.warn({ companyId, reference, ...begun.refused }, 'the page of a card was refused')
    if (begun && customer) await forgetCustomer(of, provider.name)
    return null
  })
}

/** Asks the provider for the card of a page, and keeps it, once; undefined: not yet. Outside of any transaction. */
export async function askCardPage(services: Services, page: CardPageRow): Promise<CardRow | undefined> {
  const { pool, clock, secret, payments } = services
  const { id, company_id: companyId, session_ref: session, reference } = page
  const provider = payments.named(page.provider as 'paystack' | 'stripe')
  if (page.card_id || !session) return undefined
  const found = await provider?.askCard?.(session)
  if (!found || found.reference !== reference || !isWhole(found.card)) return undefined
  return inTenant(pool, companyId, async ({ tx }) => {
    const of = { tx, companyId, secret, now: clock.now() }
    await lockAccount(of)
    if ((await cardPageById(of, id))?.card_id) return undefined
    const card = await keepCard(of, page.provider, found.card)
    await updateCardPage(of, id, { card_id: card.id })
    await writeAudit(tx, companyId, byPayments(of.now), [
      {
        action: 'billing.cardKept',
        target: { kind: 'card', id: card.id, name: `${card.brand} ${card.last4}` },
      },
    ])
    return card
  })
}

/** A page of which the provider told something. */
const OfEvent = z.strictObject({ companyId: z.number().int(), reference: z.string() })
export const askCardOfEvent: Job<z.infer<typeof OfEvent>> = {
  name: 'ask-card',
  payload: OfEvent,
  retryLimit: 4,
  async run(services, { companyId, reference }) {
    const page = await inTenant(services.pool, companyId, ({ tx }) => cardPageByReference({ tx, companyId }, reference))
    if (page) await askCardPage(services, page)
  },
}
