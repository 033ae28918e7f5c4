import { announceRevocation } from '../../core/people/accounts.ts'
import { endSessions, endPasswordSessions as endTheirs } from '../../core/sso/end-sessions.ts'
import type { Context } from '../../platform/context.ts'

/** Ends the sessions that single sign-on opened, of everybody or of one person, but for the caller's own. */
export async function endSsoSessions(ctx: Context, userId?: string): Promise<void> {
  const ended = await endSessions(ctx, ctx.sessionHash, { of: 'sso', ...(userId === undefined ? {} : { userId }) })
  if (ended) announceRevocation(ctx)
}

/** Ends the sessions that people for whom it is enforced opened otherwise, but for the caller's own. */
export async function endPasswordSessions(ctx: Context): Promise<void> {
  if (await endTheirs(ctx, ctx.sessionHash)) announceRevocation(ctx)
}
