import { Email } from '@isotherm/contract/common.ts'
import { findUser } from '../../core/people/users.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { factorsOf, hasFactor, noteReset, removeFactors } from '../../platform/auth/factors.ts'
import { findIdentity } from '../../platform/auth/identities.ts'
import { endSessions } from '../../platform/auth/sessions.ts'
import { asLogin, withTenant } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { UsageError } from './usage-error.ts'

/** Takes the second factor of a person away, for the last Admin of a company, whom nobody else can help; ends their sessions. The server mails them within a minute. */
export async function resetSecondFactor(
  { pool, out, now = () => new Date() }: ProviderTools,
  address: string | undefined,
): Promise<void> {
  const email = Email.safeParse(address ?? '')
  if (!email.success)
    throw new UsageError('Give a mail address: users reset-second-factor --email somebody@company.example')
  await asLogin(pool, async ({ tx }) => {
    const identity = await findIdentity(tx, email.data)
    if (!identity) throw new UsageError(`Nobody logs in as ${email.data}.`)
    const factors = await factorsOf(tx, identity.id)
    if (!hasFactor(factors)) throw new UsageError(`${email.data} has no second factor.`)
    await removeFactors(tx, identity.id)
    await noteReset(tx, identity.id, now())
    await endSessions(tx, identity.id)
    const { companyId, userId } = identity
    await withTenant(tx, companyId, async () => {
      const { id, fullname } = await findUser(tx, companyId, userId)
      const about = {
        actor: { kind: 'system' as const, name: 'provider' },
        origin: { address: '', agent: 'provider', requestId: '' },
        at: now(),
      }
      const target = { kind: 'user', id, name: fullname }
      await writeAudit(tx, companyId, about, [{ action: 'users.secondFactorReset', target }])
    })
  })
  out(`${email.data} logs in by the password alone from now on, and is logged out everywhere.`)
  out(
    'Be sure that it is they who asked: tell them by another way than mail, too. The server mails them within a minute.',
  )
}
