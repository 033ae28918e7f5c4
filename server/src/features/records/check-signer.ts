import { writeAudit } from '../../platform/audit/audit.ts'
import { identityById } from '../../platform/auth/identities.ts'
import { checkPassword } from '../../platform/auth/passwords.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { target } from './present.ts'
import { refusedSignatures } from './queries.ts'

const wrongTries = { most: 10, windowMs: 15 * 60_000 } as const

/**
 * A reviewer may sign many records in a row; who gets the password wrong ten times in a quarter of an hour waits. They are counted in
 * the audit trail, where 21 CFR 11.300 wants them anyway, and not by `FailureLimit` as claim codes are: that one is in the memory of one
 * node, so a restart would give a thief of a session ten tries more at a signature that binds by law.
 */
async function refuseGuesser(ctx: Context) {
  const now = ctx.clock.now().getTime()
  const tries = await refusedSignatures(ctx, new Date(now - wrongTries.windowMs), wrongTries.most)
  const first = tries[wrongTries.most - 1]?.getTime()
  if (first === undefined) return
  const seconds = Math.max(1, Math.ceil((first + wrongTries.windowMs - now) / 1000))
  throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
}

/**
 * A signer enters the password again; a failure is written to the audit trail, though nothing else is kept. Throws
 * TOO_MANY_REQUESTS or WRONG_PASSWORD.
 */
export async function checkSigner(ctx: Context, record: { id: string; name: string }, password: string) {
  await refuseGuesser(ctx)
  const identity = await withLogin(ctx.tx, () => identityById(ctx.tx, ctx.person.identityId))
  if (await checkPassword(password, identity?.passwordHash)) return
  const about = { actor: ctx.actor, origin: ctx.origin, at: ctx.clock.now() }
  await inTenant(ctx.services.pool, ctx.companyId, ({ tx }) =>
    writeAudit(tx, ctx.companyId, about, [{ action: 'records.signatureRefused', target: target(record) }]),
  )
  throw new AppError('WRONG_PASSWORD')
}
