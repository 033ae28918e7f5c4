import { tokenHash } from '../../platform/auth/tokens.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { asGuest, guest } from '../people/as-guest.ts'
import type { ActContext } from './acts/act-context.ts'
import { type FoundLink, findByToken, isStillGood, type LinkKind } from './link-queries.ts'
import { findOrder, lockOrder, type OrderRow } from './order-queries.ts'

/**
 * The viewer of a page by link: nobody of the company, without any permission. They see public devices; private ones only where the order
 * says so.
 */
export const linkViewer = ({ shows_private }: Pick<OrderRow, 'shows_private'>): Context['person'] =>
  guest(shows_private ? 'admin' : 'staff')

/** The context of an act, for figures that a viewer asks for. */
export const asViewer = (ctx: ActContext, order: Pick<OrderRow, 'shows_private'>): Context => ({
  ...ctx,
  ...{ person: linkViewer(order), can: () => false, actor: { kind: 'system', name: 'orders' } },
  ...{ origin: { address: '', agent: 'job', requestId: '' }, sessionHash: Buffer.alloc(0), callKey: null },
})

/** The link of a token that is good now, of this kind. Throws LINK_INVALID alike for every other text. */
export async function findLink({ services, clock }: PublicContext, kind: LinkKind, token: string): Promise<FoundLink> {
  const found = await asPipeline(services.pool, ({ tx }) => findByToken(tx, tokenHash(token), clock.now()))
  if (found?.kind !== kind) throw new AppError('LINK_INVALID')
  return found
}

interface Work {
  /** Locks the order first: for what changes anything of it. The link is looked for again, as it may have been revoked meanwhile. */
  isWriting: boolean
  token: string
}

/** Runs `work` in one transaction in the company of a link, as its viewer; what it leaves in the audit trail is a guest's. */
export async function byOrderLink<T>(
  { services, clock, locale, origin }: PublicContext,
  found: FoundLink,
  { isWriting, token }: Work,
  work: (ctx: Context, order: OrderRow) => Promise<T>,
): Promise<T> {
  const { companyId, orderId } = found
  return asGuest({ services, clock, locale, origin }, companyId, async (ctx) => {
    const order = await (isWriting ? lockOrder : findOrder)(ctx, orderId)
    const isGood = !isWriting || (await isStillGood(ctx, found, tokenHash(token)))
    if (!isGood || (found.driverId !== null && found.driverId !== order.driver_id)) throw new AppError('LINK_INVALID')
    return work({ ...ctx, person: linkViewer(order) }, order)
  })
}
