import { z } from 'zod'
import { inTenant } from '../../platform/db/transaction.ts'
import type { Job } from '../../platform/services.ts'
import { cardById, updateCard } from './card-queries.ts'
import { chargeableOf } from './cards.ts'

const Removed = z.strictObject({ companyId: z.number().int(), cardId: z.string() })

/** Has the provider forget a removed card; its code is deleted here once that is done. */
export const forgetCard: Job<z.infer<typeof Removed>> = {
  name: 'forget-card',
  payload: Removed,
  retryLimit: 12,
  async run({ pool, secret, payments }, { companyId, cardId: id }) {
    const card = await inTenant(pool, companyId, ({ tx }) => cardById({ tx, companyId }, id))
    if (card?.state !== 'removed') return
    const chargeable = chargeableOf(secret, card)
    // Without the code, or without the provider, nobody can charge it.
    if (chargeable) await payments.named(card.provider as 'paystack' | 'stripe')?.forget(chargeable)
    await inTenant(pool, companyId, ({ tx }) => updateCard({ tx, companyId }, id, { token_sealed: null }))
  },
}
