import { findCompany } from '../../core/company/company.ts'
import { isFactorNeeded } from '../../core/company/login-policy.ts'
import { enrolled, lockFactors } from '../../core/people/enrol.ts'
import { type SecurityEvent, securityEvent, securityMail } from '../../core/people/security-mail.ts'
import { keepsPassword } from '../../core/sso/break-glass-queries.ts'
import { connectionOf } from '../../core/sso/connection-queries.ts'
import { subjectOf } from '../../core/sso/link-queries.ts'
import { type Factors, hasFactor } from '../../platform/auth/factors.ts'
import { deleteRecoveryCodes, makeRecoveryCodes } from '../../platform/auth/recovery-codes.ts'
import { endWhenNeeded } from '../../platform/auth/sessions.ts'
import { beginTotp, confirmTotp, deleteTotp, findTotp, stepOf } from '../../platform/auth/totps.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { qrRows } from '../../reporting/qr.ts'

/** Mails the person who calls what they, or a thief, just did. */
export const tellOwner = (ctx: Context, kind: SecurityEvent['kind'], name = '') =>
  ctx.enqueue(
    securityMail,
    securityEvent({ companyId: ctx.companyId, userId: ctx.person.id }, kind, {
      ...{ origin: ctx.origin, at: ctx.clock.now(), name },
    }),
  )

/** Makes a secret for an app. Throws SECOND_FACTOR_ON where codes of one count already. */
export async function startCodes(ctx: Context) {
  const { services, tx, person, clock } = ctx
  const owner = { id: person.identityId, companyId: ctx.companyId, email: person.email }
  const made = await withLogin(tx, () => beginTotp(tx, services.secret, owner, clock.now()))
  if (!made) throw new AppError('SECOND_FACTOR_ON')
  return { ...made, qr: qrRows(made.uri) }
}

/** A code shows that the app has the secret: from here on codes are asked for. Throws SECOND_FACTOR_WRONG, SECOND_FACTOR_ON or SECOND_FACTOR_OFF. */
export async function confirmCodes(ctx: Context, code: string): Promise<string[] | null> {
  const { services, tx, person, companyId, clock } = ctx
  const now = clock.now()
  const before = await lockFactors(ctx)
  if (before.codesSince) throw new AppError('SECOND_FACTOR_ON')
  await withLogin(tx, async () => {
    const begun = await findTotp(tx, person.identityId)
    if (!begun) throw new AppError('SECOND_FACTOR_OFF')
    const step = stepOf(services.secret, { id: person.identityId, companyId }, begun.sealed, code, now)
    if (step === null) throw new AppError('SECOND_FACTOR_WRONG')
    if (!(await confirmTotp(tx, person.identityId, step, now))) throw new AppError('SECOND_FACTOR_ON')
  })
  const codes = await enrolled(ctx, before)
  ctx.audit({ action: 'auth.codesOn' })
  await tellOwner(ctx, 'codesOn')
  return codes
}

/**
 * Refuses to take the last second factor where the company asks for one, also after single sign-on only, and of an Admin who keeps their password while single sign-on is enforced. Throws
 * SECOND_FACTOR_NEEDED.
 */
export async function mayLose(ctx: Context, left: Pick<Factors, 'codesSince' | 'passkeys'>): Promise<void> {
  if (hasFactor(left)) return
  const company = await findCompany(ctx.tx, ctx.companyId)
  if (isFactorNeeded(company, ctx.clock.now()) || (await keepsPassword(ctx, ctx.person.id)) || (await isAsked(ctx)))
    throw new AppError('SECOND_FACTOR_NEEDED')
}

/** Whether the person is asked for a second factor after single sign-on. */
async function isAsked(ctx: Context): Promise<boolean> {
  const connection = await connectionOf(ctx)
  if (!connection?.asks_factor || connection.state === 'off') return false
  return (await subjectOf(ctx, connection.issuer, ctx.person.id)) !== undefined
}

/** Recovery codes go with the last factor; sessions without one last until the company asks for one. */
export async function forgetCodesWithout(ctx: Context, left: Pick<Factors, 'codesSince' | 'passkeys'>): Promise<void> {
  if (hasFactor(left)) return
  const { tx, person, companyId } = ctx
  const { second_factor_from: from } = await findCompany(tx, companyId)
  await withLogin(tx, async () => {
    await deleteRecoveryCodes(tx, person.identityId)
    if (from) await endWhenNeeded(tx, person.identityId, from)
  })
}

/** Codes of the app are asked for no more. Throws SECOND_FACTOR_OFF or SECOND_FACTOR_NEEDED. */
export async function removeCodes(ctx: Context): Promise<void> {
  const factors = await lockFactors(ctx)
  if (!factors.codesSince) throw new AppError('SECOND_FACTOR_OFF')
  const left = { ...factors, codesSince: null }
  await mayLose(ctx, left)
  if (!(await withLogin(ctx.tx, () => deleteTotp(ctx.tx, ctx.person.identityId))))
    throw new AppError('SECOND_FACTOR_OFF')
  await forgetCodesWithout(ctx, left)
  ctx.audit({ action: 'auth.codesOff' })
  await tellOwner(ctx, 'codesOff')
}

/** New recovery codes, told once; those before work no more. Throws SECOND_FACTOR_OFF. */
export async function renewRecoveryCodes(ctx: Context): Promise<string[]> {
  if (!hasFactor(await lockFactors(ctx))) throw new AppError('SECOND_FACTOR_OFF')
  const codes = await withLogin(ctx.tx, () => makeRecoveryCodes(ctx.tx, ctx.person.identityId))
  ctx.audit({ action: 'auth.recoveryCodesMade' })
  await tellOwner(ctx, 'recoveryCodesMade')
  return codes
}
