import { withLogin } from '../../platform/db/transaction.ts'
import { type Entitled, settleSubscription } from '../company/settle-subscription.ts'
import { smallestPlan } from '../provider/plans.ts'
import { hadTrial, insertLicence } from './licence-queries.ts'
import { numbersOf } from './licences.ts'

const dayMs = 86_400_000

/**
 * Gives a company its trial, once, and settles its subscription: a licence of the smallest plan that is sold, or, where there is no plan, for
 * one device. Where nothing is sold, or TRIAL_DAYS is 0, it only settles. In the company's transaction.
 */
export async function openTrial(of: Entitled, now: Date): Promise<void> {
  const { isOn, trialDays } = of.services.config.billing
  if (isOn && trialDays > 0 && !(await hadTrial(of))) {
    const plan = await withLogin(of.tx, () => smallestPlan(of.tx))
    const expiresAt = new Date(now.getTime() + trialDays * dayMs)
    const numbers = { ...numbersOf(plan), devices: plan?.devices ?? 1 }
    await insertLicence(of, { source: 'trial', hint: '', ...numbers, starts_at: now, expires_at: expiresAt })
  }
  await settleSubscription(of)
}
