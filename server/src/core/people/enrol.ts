import { type Factors, factorsOf, hasFactor } from '../../platform/auth/factors.ts'
import { lockIdentity } from '../../platform/auth/identities.ts'
import { makeRecoveryCodes } from '../../platform/auth/recovery-codes.ts'
import { endSessions, enrolSession } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { findCompany } from '../company/company.ts'
import { announceRevocation } from './accounts.ts'

/** The second factors of the person who calls. */
export const ownFactors = (ctx: Context): Promise<Factors> =>
  withLogin(ctx.tx, () => factorsOf(ctx.tx, ctx.person.identityId))

/** The same, locked until the transaction ends: of two changes at once the second sees what the first did. */
export const lockFactors = (ctx: Context): Promise<Factors> =>
  withLogin(ctx.tx, async () => {
    await lockIdentity(ctx.tx, ctx.person.identityId)
    return factorsOf(ctx.tx, ctx.person.identityId)
  })

/**
 * The person who calls has one more second factor than `before`. With the first one come recovery codes, which are told once; the session that made it is
 * a full one from now on, and the others end: they came in by less. Answers the codes; null where there were some.
 */
export async function enrolled(ctx: Context, before: Factors): Promise<string[] | null> {
  const { tx, person, clock, sessionHash } = ctx
  const now = clock.now()
  const { session_hours: hours } = await findCompany(tx, ctx.companyId)
  const codes = await withLogin(tx, async () => {
    await enrolSession(tx, sessionHash, hours, now)
    if (hasFactor(before)) return null
    await endSessions(tx, person.identityId, sessionHash)
    return makeRecoveryCodes(tx, person.identityId)
  })
  if (codes) announceRevocation(ctx)
  return codes
}
