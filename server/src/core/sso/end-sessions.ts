import { endSessionsBy } from '../../platform/auth/sso-sessions.ts'
import type { TenantTx } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { endPushes } from '../people/push-subscriptions.ts'
import { adminsOf } from './break-glass-queries.ts'
import { provedDomains } from './domain-queries.ts'

interface Ending {
  of: 'sso' | 'others'
  domains?: string[]
  but?: string[]
  userId?: string
}

/** Ends sessions of the company's people but the one kept; true where there were some. In the tenant's transaction. */
export async function endSessions({ tx, companyId }: TenantTx, keep: Buffer, ending: Ending): Promise<boolean> {
  const ended = await withLogin(tx, () => endSessionsBy(tx, { companyId, keep, ...ending }))
  for (const userId of ended) await endPushes(tx, companyId, userId)
  return ended.length > 0
}

/** Ends the sessions that people for whom single sign-on is enforced opened otherwise. */
export async function endPasswordSessions(of: TenantTx, keep: Buffer): Promise<boolean> {
  const domains = [...(await provedDomains(of))]
  const but = (await adminsOf(of)).filter(({ is_break_glass }) => is_break_glass).map(({ id }) => id)
  return endSessions(of, keep, { of: 'others', domains, but })
}
