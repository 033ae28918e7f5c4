import { peopleWithFactor } from '../../platform/auth/factors.ts'
import type { Identity } from '../../platform/auth/identities.ts'
import { type Tx, withTenant } from '../../platform/db/transaction.ts'
import { isEnforcedFor } from './break-glass-queries.ts'
import { holdConnection } from './connection-queries.ts'

/** The domain of a mail address, in small letters. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/**
 * Whether somebody is to come in by single sign-on alone. It stays so until the transaction ends: no session of a login outlives a switch to enforced.
 * To be asked before the identity is locked, which is the order of a login by single sign-on. As the login role.
 */
export async function needsSso(tx: Tx, { companyId, userId, email }: Identity): Promise<boolean> {
  const somebody = { companyId, userId, domain: domainOf(email), withFactor: await peopleWithFactor(tx, companyId) }
  return withTenant(tx, companyId, async () => {
    await holdConnection({ tx, companyId })
    return isEnforcedFor(tx, somebody)
  })
}
