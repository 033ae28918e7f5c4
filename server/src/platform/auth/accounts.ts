import { Locale } from '@isotherm/contract/common.ts'
import { withLogin } from '../db/transaction.ts'
import type { Context } from '../http/context.ts'
import { createIdentity, deleteIdentity, identityOf } from './identities.ts'
import { createLink, sendLink } from './mail-links.ts'
import { endPushes } from './push-subscriptions.ts'
import { endSessions } from './sessions.ts'

// What a verb, in its tenant's transaction, may do with the logins of the company's people.

interface Member {
  id: string
  fullname: string
  email: string
  locale: string
}

/** Gives a new team member a login without a password; false where the mail address is somebody's already. */
export async function openAccount(ctx: Context, member: Member): Promise<boolean> {
  const { companyId, clock, tx } = ctx
  const identityId = await withLogin(tx, () =>
    createIdentity(tx, { email: member.email, companyId, userId: member.id, passwordHash: null, now: clock.now() }),
  )
  return identityId !== undefined
}

/** Mails an invitation in the person's language; earlier ones stop working. `company` is the name the mail gives. */
export async function sendInvitation(ctx: Context, member: Member, company: string): Promise<void> {
  const { tx, companyId, services, clock } = ctx
  const tokenId = await withLogin(tx, async () => {
    const identity = await identityOf(tx, companyId, member.id)
    if (!identity) throw new Error(`user ${member.id} has no login`)
    return createLink(tx, services.secret, { identityId: identity.id, purpose: 'invite', now: clock.now() })
  })
  await ctx.enqueue(sendLink, {
    tokenId,
    purpose: 'invite',
    to: member.email,
    name: member.fullname,
    company,
    locale: Locale.parse(member.locale),
  })
}

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
