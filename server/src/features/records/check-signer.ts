import { lockFactors } from '../../core/people/enrol.ts'
import { needFreshProof } from '../../core/people/fresh-proof.ts'
import { takeCode } from '../../core/people/second-factor.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { hasFactor } from '../../platform/auth/factors.ts'
import { identityById } from '../../platform/auth/identities.ts'
import { checkPassword } from '../../platform/auth/passwords.ts'
import { isSsoProofFresh } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { target } from './present.ts'
import { refusedSignatures } from './queries.ts'

const wrongTries = { most: 10, windowMs: 15 * 60_000 } as const

/**
 * A reviewer may sign many records in a row; who gets the password wrong ten times in a quarter of an hour waits. They are counted in
 * the audit trail, where 21 CFR 11.300 wants them anyway, and not by `FailureLimit` as claim codes are: that one is in the memory of one
 * node, so a restart would give a thief of a session ten tries more at a signature that binds by law. With the signer locked: tries at many records
 * at once come one after the other, and each sees those before it.
 */
async function refuseGuesser(ctx: Context) {
  const now = ctx.clock.now().getTime()
  const tries = await refusedSignatures(ctx, new Date(now - wrongTries.windowMs), wrongTries.most)
  const first = tries[wrongTries.most - 1]?.getTime()
  if (first === undefined) return
  const seconds = Math.max(1, Math.ceil((first + wrongTries.windowMs - now) / 1000))
  throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
}

interface Signer {
  password?: string | undefined
  code?: string | undefined
}

/**
 * A signer enters the password again, and where they have a second factor a code, unless they proved by that factor who they are within the last
 * 15 minutes. A signer without a password has a fresh proof by single sign-on in its place: the login is none, as the issuer may have let it pass without
 * a question. A failure is written to the audit trail, though nothing else is kept. Throws TOO_MANY_REQUESTS, WRONG_PASSWORD, SECOND_FACTOR_WRONG,
 * PROOF_NEEDED, SSO_PROOF_NEEDED or VALIDATION.
 */
export async function checkSigner(ctx: Context, record: { id: string; name: string }, { password, code }: Signer) {
  const factors = await lockFactors(ctx)
  await refuseGuesser(ctx)
  const identity = await withLogin(ctx.tx, () => identityById(ctx.tx, ctx.person.identityId))
  if (identity && !identity.passwordHash) needSsoProof(ctx)
  else if (password === undefined) throw invalidField('password', 'required')
  else if (!(await checkPassword(password, identity?.passwordHash, ctx.origin.address)))
    return refuse(ctx, record, 'WRONG_PASSWORD')
  if (!hasFactor(factors)) return
  if (code !== undefined) return (await takeCode(ctx, code)) ? undefined : refuse(ctx, record, 'SECOND_FACTOR_WRONG')
  needFreshProof(ctx)
}

function needSsoProof({ session, clock }: Context): void {
  if (!session || !isSsoProofFresh(session, clock.now())) throw new AppError('SSO_PROOF_NEEDED')
}

async function refuse(
  ctx: Context,
  record: { id: string; name: string },
  code: 'WRONG_PASSWORD' | 'SECOND_FACTOR_WRONG',
): Promise<never> {
  const about = { actor: ctx.actor, origin: ctx.origin, at: ctx.clock.now() }
  await inTenant(ctx.services.pool, ctx.companyId, ({ tx }) =>
    writeAudit(tx, ctx.companyId, about, [{ action: 'records.signatureRefused', target: target(record) }]),
  )
  throw new AppError(code)
}
