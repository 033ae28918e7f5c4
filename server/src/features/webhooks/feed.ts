import { chosenEvents, events } from '@isotherm/contract/webhook-events.ts'
import type { FeedQuery } from '@isotherm/contract/webhooks.ts'
import type { z } from 'zod'
import { findFeed, noteRead, switchOn } from '../../core/events/feed-queries.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { feedPage } from './event-queries.ts'
import { presentEvent } from './present.ts'

const dayMs = 86_400_000

/** The events that the caller may read, by the permissions they have now. */
export const readableTypes = ({ can }: Pick<Context, 'can'>) =>
  chosenEvents.filter((name) => {
    const { needs } = events[name]
    return needs === null || can(needs)
  })

/**
 * Events after a number, in the order of their numbers, as far as the caller may see what they tell of. The first call switches the feed on; once a
 * day it is noted that somebody reads it. A number that the feed has not reached is of before a backup was restored: the feed is read from its
 * beginning then, since nobody knows which events the numbers were of.
 */
export async function readFeed(ctx: Context, { after, types, limit }: z.output<typeof FeedQuery>) {
  const now = ctx.clock.now()
  const known = await findFeed(ctx)
  if (!known?.is_on) await switchOn(ctx, now)
  if (now.getTime() - (known?.read_at?.getTime() ?? 0) > dayMs) await noteRead(ctx, now)
  const readable = readableTypes(ctx).filter((name) => types === undefined || types.includes(name))
  const window = { types: readable, limit, seesPrivate: seesPrivate(ctx.person) }
  const asked = await feedPage(ctx, { ...window, after: after ?? '0' })
  const isAhead = after !== undefined && BigInt(after) > BigInt(asked.last)
  const page = isAhead ? await feedPage(ctx, { ...window, after: '0' }) : asked
  const { publicUrl } = ctx.services.config
  return {
    data: page.rows.map((row) => presentEvent(row, publicUrl)),
    next: page.upTo,
    hasMore: BigInt(page.upTo) < BigInt(page.last),
    isIncomplete: isAhead || page.hasGap || (after !== undefined && page.beginsLate),
    since: (known?.is_on ? known.since : now).toISOString(),
  }
}
