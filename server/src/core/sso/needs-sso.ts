import { peopleWithFactor } from '../../platform/auth/factors.ts'
import type { Identity } from '../../platform/auth/identities.ts'
import { type Tx, withTenant } from '../../platform/db/transaction.ts'
import { isEnforcedFor } from './break-glass-queries.ts'

/** The domain of a mail address, in small letters. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Whether somebody is to come in by single sign-on alone. As the login role. */
export async function needsSso(tx: Tx, { companyId, userId, email }: Identity): Promise<boolean> {
  const somebody = { companyId, userId, domain: domainOf(email), withFactor: await peopleWithFactor(tx, companyId) }
  return withTenant(tx, companyId, () => isEnforcedFor(tx, somebody))
}
