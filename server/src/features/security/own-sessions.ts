import { announceRevocation, endSessionsOf } from '../../core/people/accounts.ts'
import { endSessionById, sessionsOf } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/** The sessions of the person who calls. */
export const ownSessions = ({ tx, person, clock, services }: Context) =>
  withLogin(tx, () => sessionsOf(tx, person.identityId, clock.now(), services.config.sessions))
export type OwnSession = Awaited<ReturnType<typeof ownSessions>>[number]

/** Ends a session of one's own, this one too. Throws NOT_FOUND. */
export async function endOwnSession(ctx: Context, id: string): Promise<void> {
  if (!(await withLogin(ctx.tx, () => endSessionById(ctx.tx, ctx.person.identityId, id))))
    throw new AppError('NOT_FOUND')
  ctx.audit({ action: 'auth.sessionEnded' })
  announceRevocation(ctx)
}

/** Ends the sessions of the person who calls but this one. */
export async function endOtherSessions(ctx: Context): Promise<void> {
  await endSessionsOf(ctx, ctx.person.id, ctx.sessionHash)
  ctx.audit({ action: 'auth.sessionsEnded' })
}
