import type { Card } from '@isotherm/contract/cards.ts'
import { cardPageById } from '../../core/billing/card-page-queries.ts'
import { askCardPage } from '../../core/billing/card-pages.ts'
import { cardById } from '../../core/billing/card-queries.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import { presentCard } from './present.ts'

/**
 * Asks the provider for the card of a page, once the call's transaction is over; null: not yet. Throws NOT_FOUND or PROVIDER_UNREACHABLE.
 */
export async function checkCardPage(ctx: Context, id: string): Promise<AfterCommit<{ card: Card | null }>> {
  const page = orNotFound(await cardPageById(ctx, id))
  const { services, companyId, clock } = ctx
  return new AfterCommit(async () => {
    const kept = page.card_id ?? (await askCardPage(services, page).catch(unreachable))?.id
    const card = kept && (await inTenant(services.pool, companyId, ({ tx }) => cardById({ tx, companyId }, kept)))
    return { card: card && card.state !== 'removed' ? presentCard(card, [], clock.now()) : null }
  })
}

function unreachable(): never {
  throw new AppError('PROVIDER_UNREACHABLE', {}, 30)
}
