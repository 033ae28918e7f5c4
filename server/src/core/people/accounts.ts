import { deleteIdentity, identityOf } from '../../platform/auth/identities.ts'
import { endSessions } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { endPushes } from './push-subscriptions.ts'

// The operations that a verb, in its tenant's transaction, may use on the logins of the company's people.

/** Ends the login of a person for good and frees the mail address. */
export async function closeAccount(ctx: Context, userId: string): Promise<void> {
  await withLogin(ctx.tx, () => deleteIdentity(ctx.tx, ctx.companyId, userId))
  await endPushes(ctx.tx, ctx.companyId, userId)
  announceRevocation(ctx)
}

/** Ends every session of a person but the one kept. */
export async function endSessionsOf(ctx: Context, userId: string, keep?: Buffer): Promise<void> {
  await withLogin(ctx.tx, async () => {
    const identity = await identityOf(ctx.tx, ctx.companyId, userId)
    if (identity) await endSessions(ctx.tx, identity.id, keep)
  })
  await endPushes(ctx.tx, ctx.companyId, userId)
  announceRevocation(ctx)
}

/** Tells open streams, once committed, that sessions of the company ended: each looks whether its own did. */
export const announceRevocation = (ctx: Pick<Context, 'services' | 'companyId' | 'afterCommit'>) =>
  ctx.afterCommit(() => ctx.services.bus.publish({ companyId: ctx.companyId, kind: 'session', data: {} }))
