import type { TenantTx } from '../../platform/context.ts'
import type { Services } from '../../platform/services.ts'
import { updateEnds } from './subscription-queries.ts'

/** Where licences are taken: a company's transaction, and whether anything is sold. */
export interface Entitled extends TenantTx {
  services: Pick<Services, 'config'>
}

/**
 * Says when the company's subscription ends: the only writer of `subscription_until`, `subscription_owed` and `trial_until`. Call it in every
 * transaction that makes or changes a licence, or lets a plan become past due, or gives a device the time of one, after that. Null where nothing is sold.
 */
export const settleSubscription = (of: Entitled): Promise<void> => updateEnds(of, of.services.config.billing.isOn)
