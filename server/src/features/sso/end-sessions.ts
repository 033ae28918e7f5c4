import { announceRevocation } from '../../core/people/accounts.ts'
import { endPushes } from '../../core/people/push-subscriptions.ts'
import { adminsOf } from '../../core/sso/break-glass-queries.ts'
import { provedDomains } from '../../core/sso/domain-queries.ts'
import { endSessionsBy } from '../../platform/auth/sso-sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'

/** Ends the sessions that single sign-on opened, but for the caller's own. */
export const endSsoSessions = (ctx: Context): Promise<void> => end(ctx, { of: 'sso' })

/** Ends the sessions that people for whom it is enforced opened otherwise, but for the caller's own. */
export async function endPasswordSessions(ctx: Context): Promise<void> {
  const domains = [...(await provedDomains(ctx))]
  const but = (await adminsOf(ctx)).filter(({ is_break_glass }) => is_break_glass).map(({ id }) => id)
  await end(ctx, { of: 'others', domains, but })
}

async function end(ctx: Context, ending: { of: 'sso' | 'others'; domains?: string[]; but?: string[] }): Promise<void> {
  const { tx, companyId, sessionHash } = ctx
  const ended = await withLogin(tx, () => endSessionsBy(tx, { companyId, keep: sessionHash, ...ending }))
  for (const userId of ended) await endPushes(tx, companyId, userId)
  if (ended.length > 0) announceRevocation(ctx)
}
