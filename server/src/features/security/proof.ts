import type { ProofMethod } from '@isotherm/contract/security.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { identityById } from '../../platform/auth/identities.ts'
import { checkPassword } from '../../platform/auth/passwords.ts'
import { markProved } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/** The ways in which the person who calls can prove who they are. */
export async function waysToProve(ctx: Context): Promise<ProofMethod[]> {
  const identity = await withLogin(ctx.tx, () => identityById(ctx.tx, ctx.person.identityId))
  return identity?.passwordHash ? ['password'] : []
}

/** A refused proof is in the trail, though the call leaves nothing else. */
async function refuse(ctx: Context, code: 'WRONG_PASSWORD'): Promise<never> {
  const about = { actor: ctx.actor, origin: ctx.origin, at: ctx.clock.now() }
  await inTenant(ctx.services.pool, ctx.companyId, ({ tx }) =>
    writeAudit(tx, ctx.companyId, about, [{ action: 'auth.proofRefused' }]),
  )
  throw new AppError(code)
}

/** Proves who calls, for the session that calls and no other. Throws WRONG_PASSWORD. */
export async function prove(ctx: Context, { password }: { password: string }): Promise<void> {
  const { tx, person, clock } = ctx
  const identity = await withLogin(tx, () => identityById(tx, person.identityId))
  if (!(await checkPassword(password, identity?.passwordHash))) return refuse(ctx, 'WRONG_PASSWORD')
  await withLogin(tx, () => markProved(tx, ctx.sessionHash, clock.now()))
}
