import type { Shared } from '@isotherm/contract/share-links.ts'
import { logoFile } from '../../core/company/logo.ts'
import { byLink } from '../../core/people/by-link.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { findByToken, findLink, noteReading, type ShareLinkRow } from './queries.ts'
import { type DeviceParts, readShared } from './read-shared.ts'

/**
 * Does `work` with the values that a link shows now, in the name of the person who made it. Throws LINK_INVALID alike for a token that is
 * unknown, over or revoked, where its device or groups are gone or not that person's to see any more, where the person left, and where the
 * company's subscription has expired.
 */
async function withShared<T>(
  ctx: PublicContext,
  parts: DeviceParts,
  token: string,
  work: (maker: Context, link: ShareLinkRow, shared: Shared) => Promise<T>,
): Promise<T> {
  const { services } = ctx
  const found = await asPipeline(services.pool, ({ tx }) => findByToken(tx, tokenHash(token), ctx.clock.now()))
  if (!found) throw new AppError('LINK_INVALID')
  const { companyId } = found
  // It may note the reading, so it never goes over the processes of low priority, which are for reading only.
  const read = () =>
    byLink(ctx, found, async (maker) => {
      const link = await findLink(maker, found.kind, found.id)
      return link && work(maker, link, await readShared(maker, parts, link))
    })
  const done = await services.shares.run(companyId, read).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  })
  if (!done) throw new AppError('LINK_INVALID')
  return done
}

/** The values that a link shows now. Throws LINK_INVALID. */
export const readByToken = (
  ctx: PublicContext,
  parts: DeviceParts,
  { token, isOpening }: { token: string; isOpening: boolean },
): Promise<Shared> =>
  withShared(ctx, parts, token, async (maker, link, shared) => {
    await noteReading(maker, link.id, isOpening, ctx.clock.now())
    return shared
  })

/** The logo of the company on a page. Throws LINK_INVALID, and NOT_FOUND without one. */
export async function logoByToken(ctx: PublicContext, parts: DeviceParts, { token }: { token: string }) {
  const file = await withShared(ctx, parts, token, (maker) => logoFile(maker, ctx.services))
  return file.answer()
}
