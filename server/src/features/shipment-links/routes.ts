import type { shipmentLinks } from '@isotherm/contract/shipment-links.ts'
import type { FastifyInstance } from 'fastify'
import type { FailureLimit } from '../../platform/http/failure-limit.ts'
import { limitMisses } from '../../platform/http/limit-misses.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/services.ts'
import { type FollowSources, follow, followedDocument, followedLogo, type KeptPages } from './follow.ts'
import { makeLink, readLinks, revokeLink, rotateLink } from './link-verbs.ts'
import { Openings } from './openings.ts'

const flushEveryMs = 10 * 60_000

/** `misses` counts tokens that lead nowhere. */
export function shipmentLinkHandlers(
  app: FastifyInstance,
  services: Services,
  sources: FollowSources,
  misses: FailureLimit,
): Handlers<typeof shipmentLinks> {
  const counted = limitMisses(misses)
  const openings = new Openings(services)
  const flushing = setInterval(() => void openings.flush(services.clock.now()), flushEveryMs).unref()
  app.addHook('preClose', async () => {
    clearInterval(flushing)
    await openings.flush(new Date(8.64e15))
  })
  const kept: KeptPages = new Map()
  return {
    list: (ctx, { params }) => readLinks(ctx, params.id),
    make: (ctx, { params, body }) => makeLink(ctx, params.id, body),
    rotate: (ctx, { params }) => rotateLink(ctx, params.id),
    revoke: (ctx, { params }) => revokeLink(ctx, params.id),
    follow: (ctx, { body }) => counted(ctx, () => follow(ctx, sources, kept, body)),
    logo: (ctx, { body }) => counted(ctx, () => followedLogo(ctx, body)),
    document: (ctx, { body }) => counted(ctx, () => followedDocument(ctx, openings, body)),
  }
}
