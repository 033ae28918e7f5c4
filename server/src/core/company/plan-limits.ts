import type { Beginning } from '@isotherm/contract/call.ts'
import type { PlanMeasure } from '@isotherm/contract/subscription.ts'
import type { TenantTx } from '../../platform/context.ts'
import { PlanLimitReached } from '../../platform/errors/app-error.ts'
import { refuseExpired } from './subscription.ts'
import { limitsOf, lockPlan, useOf } from './subscription-queries.ts'

// Devices are not among them: each takes a place of a licence, whose row is locked meanwhile.
const measuresOf: Record<Beginning, readonly PlanMeasure[]> = {
  devices: [],
  users: ['users'],
  recipients: ['emails', 'phones'],
  other: [],
}

/**
 * Counts what a call may add to before its verb runs, and keeps others of the company that count from doing so until the transaction ends.
 * The function that comes back counts again, after the verb: it throws LIMIT_REACHED where the call has added beyond what the licences allow. A company
 * that is beyond it already may change and take away. The addition of a company that has expired is SUBSCRIPTION_EXPIRED.
 */
export async function watchPlan(of: TenantTx, what: Beginning, now: Date): Promise<() => Promise<void>> {
  const measures = measuresOf[what]
  if (measures.length === 0) return async () => undefined
  await lockPlan(of)
  const before = await useOf(of, now)
  return async () => {
    const after = await useOf(of, now)
    const grown = measures.filter((measure) => after[measure] > before[measure])
    if (grown.length === 0) return
    const limits = await limitsOf(of, now)
    if (limits.licences === 0) await refuseExpired(of.tx, of.companyId, now)
    for (const measure of grown) {
      const limit = limits[measure]
      if (limit !== null && after[measure] > limit)
        throw new PlanLimitReached(measure, { limit, used: before[measure] })
    }
  }
}
