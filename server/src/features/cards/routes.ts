import type { cards } from '@isotherm/contract/cards.ts'
import { beginCardPage } from '../../core/billing/card-pages.ts'
import { type CardRow, listCards, usesOfCards } from '../../core/billing/card-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { checkCardPage } from './check-page.ts'
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
      const text = { email: person.email, returnUrl, locale }
      const begun = page.page_url ? page : await beginCardPage(services, provider, page, text)
      if (!begun?.page_url) throw new AppError('PROVIDER_UNREACHABLE', {}, 30)
      return { id: begun.id, url: begun.page_url, closesAt: begun.closes_at.toISOString() }
    })
  },
  check: (ctx, { params }) => checkCardPage(ctx, params.id),
  change: async (ctx, { params }) => shown(ctx, await chooseFirst(ctx, params.id)),
  async remove(ctx, { params }) {
    const { subscriptions, topups } = await removeCard(ctx, params.id)
    return { renewsByPage: subscriptions, topUpsOff: topups }
  },
}
