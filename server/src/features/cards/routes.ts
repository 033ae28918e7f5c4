import type { cards } from '@isotherm/contract/cards.ts'
import { cardPageById } from '../../core/billing/card-page-queries.ts'
import { askCardPage, beginCardPage } from '../../core/billing/card-pages.ts'
import { type CardRow, cardById, listCards, usesOfCards } from '../../core/billing/card-queries.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { presentCard } from './present.ts'
import { chooseFirst, openCardPage, providerOf, removeCard } from './verbs.ts'

const shown = async (ctx: Context, row: CardRow) => presentCard(row, await usesOfCards(ctx), ctx.clock.now())

export const cardHandlers: Handlers<typeof cards> = {
  async list(ctx) {
    const [rows, uses] = [await listCards(ctx), await usesOfCards(ctx)]
    const provider = await providerOf(ctx)
    return {
      cards: rows.map((row) => presentCard(row, uses, ctx.clock.now())),
      adding: provider ? (provider.beginCard ? 'page' : 'payment') : 'none',
    }
  },
  async add(ctx) {
    const { page, provider } = await openCardPage(ctx)
    const { services, locale, person } = ctx
    const returnUrl = `${services.config.publicUrl}/subscription/cards?page=${page.id}`
    return new AfterCommit(async () => {
      const begun = await beginCardPage(services, provider, page, { email: person.email, returnUrl, locale })
      if (!begun?.page_url) throw new AppError('PROVIDER_UNREACHABLE', {}, 30)
      return { id: begun.id, url: begun.page_url, closesAt: begun.closes_at.toISOString() }
    })
  },
  async check(ctx, { params }) {
    const page = orNotFound(await cardPageById(ctx, params.id))
    const { services, companyId, clock } = ctx
    const { pool } = services
    return new AfterCommit(async () => {
      const kept = page.card_id ?? (await askCardPage(services, page).catch(unreachable))?.id
      const card = kept ? await inTenant(pool, companyId, ({ tx }) => cardById({ tx, companyId }, kept)) : undefined
      return { card: card && card.state !== 'removed' ? presentCard(card, [], clock.now()) : null }
    })
  },
  change: async (ctx, { params }) => shown(ctx, await chooseFirst(ctx, params.id)),
  async remove(ctx, { params }) {
    const { subscriptions, topups } = await removeCard(ctx, params.id)
    return { renewsByPage: subscriptions, topUpsOff: topups }
  },
}

function unreachable(): never {
  throw new AppError('PROVIDER_UNREACHABLE', {}, 30)
}
