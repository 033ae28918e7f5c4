import type { Register } from '@isotherm/contract/auth.ts'
import type { z } from 'zod'
import { insertCompany } from '../../core/company/company-queries.ts'
import { openTrial } from '../../core/devices/trial.ts'
import { forgetUnverified } from '../../core/people/unverified.ts'
import { insertUser } from '../../core/people/users.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { createIdentity } from '../../platform/auth/identities.ts'
import { createLink, sendLink } from '../../platform/auth/mail-links.ts'
import { checkNewPassword } from '../../platform/auth/password-rules.ts'
import { hashPassword } from '../../platform/auth/passwords.ts'
import { isInvited } from '../../platform/auth/sign-up-invitations.ts'
import type { PublicContext } from '../../platform/context.ts'
import { asLogin, type Transaction, withTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { alreadyRegistered } from './jobs.ts'
import { actorOf } from './present.ts'
import { tried } from './queries.ts'

type Input = z.output<typeof Register>

function refuseUninvited({ services, clock }: PublicContext, { email, invitation }: Input): void {
  const { registration } = services.config
  if (registration === 'off') throw new AppError('REGISTRATION_CLOSED')
  if (registration === 'invite' && !(invitation && isInvited(services.secret, invitation, email, clock.now())))
    throw new AppError('INVITATION_NEEDED')
}

/**
 * Creates a company with its first Admin and mails the verification link. An address that is somebody's already
 * gets the same answer after the same work, and a mail that says so: the caller learns nothing about it. Throws
 * REGISTRATION_CLOSED or INVITATION_NEEDED where the installation is not open to everybody, and a 422 for a password that is
 * easy to guess.
 */
export async function register(ctx: PublicContext, input: Input): Promise<{ email: string }> {
  refuseUninvited(ctx, input)
  await checkNewPassword(input.password, input)
  const passwordHash = await hashPassword(input.password, ctx.origin.address)
  await asLogin(ctx.services.pool, async (transaction) => {
    await forgetUnverified(transaction.tx, ctx.clock.now(), input.email)
    if (await tried(transaction.tx, () => create(ctx, transaction, input, passwordHash))) return
    await ctx.services.enqueue(transaction.client, alreadyRegistered, { email: input.email })
  })
  return { email: input.email }
}

async function create(ctx: PublicContext, transaction: Transaction, input: Input, passwordHash: string) {
  const { tx, client } = transaction
  const { services, origin } = ctx
  const now = ctx.clock.now()
  const { companyName, fullname, email, phone, country, timezone, locale } = input
  const company = await insertCompany(tx, { name: companyName, country, timezone, locale, created_at: now })
  const companyId = company.company_id
  const user = await withTenant(tx, companyId, async () => {
    const person = { company_id: companyId, fullname, email, phone, timezone, locale, created_at: now }
    await openTrial({ tx, companyId, services }, now)
    const admin = await insertUser(tx, { ...person, role: 'admin', status: 'unverified' })
    const target = { kind: 'company', id: String(companyId), name: companyName }
    await writeAudit(tx, companyId, { actor: actorOf(admin), origin, at: now }, [
      { action: 'company.registered', target, after: { name: companyName, admin: email } },
    ])
    return admin
  })
  const identityId = await createIdentity(tx, { email, companyId, userId: user.id, passwordHash, now })
  if (!identityId) return false
  const tokenId = await createLink(tx, services.secret, { identityId, purpose: 'verify', now })
  const mail = { tokenId, purpose: 'verify' as const, to: email, name: fullname, company: companyName, locale }
  await services.enqueue(client, sendLink, mail)
  return true
}
