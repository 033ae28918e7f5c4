import type { Context } from '../../platform/context.ts'
import { needFreshProof } from '../people/fresh-proof.ts'
import { askedOfCards } from './payment-queries.ts'

const dayMs = 86_400_000

interface Money {
  currency: string
  total: number
}

/**
 * Asks for a fresh proof where somebody spends more from saved cards, within a day, than the operator lets a session spend without one: whoever stole a
 * session would else spend the company's money, at once or in small parts. Money that is set aside for later charges counts as spent. Throws PROOF_NEEDED.
 */
export async function needProofToCharge(ctx: Context, { currency, total }: Money): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - dayMs)
  const before = await askedOfCards(ctx, { askedBy: ctx.person.id, currency, since })
  if (before + total > (ctx.services.config.cardProofAbove[currency] ?? 0)) needFreshProof(ctx)
}
