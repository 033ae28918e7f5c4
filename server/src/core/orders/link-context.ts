import { defaultMatrix, modules, type PermissionMatrix } from '@isotherm/contract/permissions.ts'
import { type AuditEntry, writeAudit } from '../../platform/audit/audit.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asPipeline, inTenant, type Transaction, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { ActContext } from './acts/act-context.ts'
import { type FoundLink, findByToken, isStillGood, type LinkKind } from './link-queries.ts'
import { findOrder, lockOrder, type OrderRow } from './order-queries.ts'

const nothing = { view: false, addOrEdit: false, export: false }
const noPermissions: PermissionMatrix = {
  ...defaultMatrix.staff,
  ...Object.fromEntries(modules.map((module) => [module, nothing])),
}

/**
 * The viewer of a page by link: nobody of the company, without any permission. They see public devices; private ones only where the order
 * says so.
 */
export const linkViewer = ({ shows_private }: Pick<OrderRow, 'shows_private'>): Context['person'] => ({
  ...{ id: '0', identityId: '0', fullname: '', email: '', permissions: noPermissions },
  role: shows_private ? 'admin' : 'staff',
})

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
  const [entries, waiting]: [AuditEntry[], (() => void)[]] = [[], []]
  const inTransaction = async ({ tx, client }: Transaction) => {
    const order = await (isWriting ? lockOrder : findOrder)({ tx, companyId }, orderId)
    const isGood = !isWriting || (await isStillGood({ tx, companyId }, found, tokenHash(token)))
    if (!isGood || (found.driverId !== null && found.driverId !== order.driver_id)) throw new AppError('LINK_INVALID')
    const ctx: Context = {
      ...{ services, clock, locale, origin, tx, companyId },
      ...{
        sessionHash: Buffer.alloc(0),
        callKey: null,
        person: linkViewer(order),
        actor: { kind: 'guest' },
        can: () => false,
      },
      audit: (entry) => void entries.push(entry),
      enqueue: (job, payload) => withLogin(tx, () => services.enqueue(client, job, payload)),
      afterCommit: (afterwards) => void waiting.push(afterwards),
    }
    const done = await work(ctx, order)
    if (entries.length > 0) await writeAudit(tx, companyId, { actor: ctx.actor, origin, at: clock.now() }, entries)
    return done
  }
  const { statementTimeoutMs } = services.config
  const run = () => inTenant(services.pool, companyId, inTransaction, { statementTimeoutMs })
  const result = await services.shares.run(companyId, run)
  for (const afterwards of waiting) afterwards()
  return result
}
