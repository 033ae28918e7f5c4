import { z } from 'zod'
import { del, get, patch, post } from './call.ts'
import { Id, Instant } from './common.ts'

/** A card that may be charged again without its payer. */
export const Card = z.object({
  id: Id,
  brand: z.string(),
  last4: z.string(),
  expMonth: z.number().int(),
  expYear: z.number().int(),
  bank: z.string().nullable(),
  /** `expired`: its month is over; `refused`: the bank takes it no more. Neither is charged by a person's call. */
  state: z.enum(['usable', 'expired', 'refused']),
  /** The words of the bank, in English, where it is refused. */
  reason: z.string().nullable(),
  expiresSoon: z.boolean(),
  /** The one that is offered first. */
  isDefault: z.boolean(),
  /** The subscriptions that it renews, and the wallets that it tops up. */
  renews: z.number().int(),
  topsUp: z.number().int(),
})
export type Card = z.infer<typeof Card>

export const Cards = z.object({
  cards: z.array(Card),
  /** How a card is added: on a page of the provider, or only by a payment that keeps it; `none`: nothing can be paid here. */
  adding: z.enum(['page', 'payment', 'none']),
})
export type Cards = z.infer<typeof Cards>

/** A page of the provider where a payer enters a card. */
export const CardPage = z.object({ id: Id, url: z.string(), closesAt: Instant })
export type CardPage = z.infer<typeof CardPage>

export const cards = {
  list: get('/enterprise/cards', {
    needs: 'payments.view',
    summary: 'The saved cards of the company, the first choice first, and how one is added',
    returns: Cards,
  }),
  add: post('/enterprise/cards', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    limit: 'money',
    summary: 'Opens a page of the provider where a card is kept; where it has none, CARD_NEEDS_PAYMENT',
    // The same call again, after its server was killed, goes on with its page.
    auditOptional: true,
    returns: CardPage,
  }),
  check: post('/enterprise/card-pages/:id/check', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    summary: 'Asks the provider whether a card was kept on a page; null: not yet',
    returns: z.object({ card: Card.nullable() }),
    auditOptional: true,
  }),
  change: patch('/enterprise/cards/:id', {
    needs: 'payments.addOrEdit',
    summary: 'Makes a card the first choice',
    body: z.strictObject({ isDefault: z.literal(true) }),
    returns: Card,
  }),
  remove: del('/enterprise/cards/:id', {
    needs: 'payments.addOrEdit',
    summary: 'Removes a card, here and at the provider; what it renewed is paid by a page from now on',
    returns: z.object({
      /** So many subscriptions renew by a page now. */
      renewsByPage: z.number().int(),
      /** So many wallets are topped up no more. */
      topUpsOff: z.number().int(),
    }),
  }),
}
