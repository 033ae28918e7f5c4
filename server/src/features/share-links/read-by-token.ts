import type { Shared } from '@isotherm/contract/share-links.ts'
import { byLink } from '../../core/people/by-link.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import type { PublicContext } from '../../platform/context.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { findByToken, findLink, noteReading } from './queries.ts'
import { type DeviceParts, readShared } from './read-shared.ts'

/**
 * The values that a link shows now, in the name of the person who made it. Throws LINK_INVALID alike for a token that is unknown,
 * over or revoked, where its device or groups are gone or not that person's to see any more, where the person left, and where the
 * company's subscription has expired.
 */
export async function readByToken(
  ctx: PublicContext,
  parts: DeviceParts,
  { token, isOpening }: { token: string; isOpening: boolean },
): Promise<Shared> {
  const { services } = ctx
  const now = ctx.clock.now()
  const found = await asPipeline(services.pool, ({ tx }) => findByToken(tx, tokenHash(token), now))
  if (!found) throw new AppError('LINK_INVALID')
  const { companyId } = found
  // It notes the reading, so it never goes over the processes of low priority, which are for reading only.
  const read = () =>
    byLink(ctx, found, async (maker) => {
      const link = await findLink(maker, found.kind, found.id)
      if (!link) return undefined
      const shared = await readShared(maker, parts, link)
      await noteReading(maker, link.id, isOpening, now)
      return shared
    })
  const shared = await services.shares.run(companyId, read).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  })
  if (!shared) throw new AppError('LINK_INVALID')
  return shared
}
