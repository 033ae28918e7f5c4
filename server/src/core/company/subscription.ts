import type { Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/** How a company stands. Null in `subscription_until`: nothing is sold. */
export function stateOf(
  { subscription_until: until, trial_until: trial }: { subscription_until: Date | null; trial_until: Date | null },
  now: Date,
): 'open' | 'trial' | 'running' | 'expired' {
  if (until === null) return 'open'
  if (hasExpired(until, now)) return 'expired'
  // Nothing lasts longer than the trial.
  return trial?.getTime() === until.getTime() ? 'trial' : 'running'
}

/** Whether a subscription that runs until then has expired. Null: it does not end. */
export const hasExpired = (until: Date | null, now: Date): boolean => until !== null && until <= now

/**
 * Throws SUBSCRIPTION_EXPIRED where the company may begin nothing new. Every call with `begins` in its row has passed it; a verb asks
 * only where one call both begins things and changes others. In the tenant's transaction.
 */
export async function refuseExpired(tx: Tx, companyId: number, now: Date): Promise<void> {
  const { subscription_until: until } = await tx
    .selectFrom('companies')
    .select('subscription_until')
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow()
  if (hasExpired(until, now)) throw new AppError('SUBSCRIPTION_EXPIRED')
}
