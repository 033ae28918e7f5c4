import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { companiesToSettle } from '../company/subscription-queries.ts'
import { openTrial } from './trial.ts'

/**
 * Brings every company in line with BILLING and TRIAL_DAYS, at the start of the server: companies that were there before plans were sold get
 * their trial now; where nothing is sold any more, no subscription ends.
 */
export async function settleAll(services: Services): Promise<void> {
  const { pool, clock, log } = services
  const { isOn, trialDays } = services.config.billing
  const ids = await asPipeline(pool, ({ tx }) => companiesToSettle(tx, isOn, isOn && trialDays > 0))
  for (const companyId of ids)
    await inTenant(pool, companyId, ({ tx }) => openTrial({ tx, companyId, services }, clock.now()))
  if (ids.length > 0) log.info({ companies: ids.length, billing: isOn ? 'on' : 'off' }, 'subscriptions were settled')
}
