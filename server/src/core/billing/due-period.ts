import { type Cadence, type Period, periodOf } from '../../domain/billing-period.ts'
import type { TenantTx } from '../../platform/context.ts'
import type { Failure } from '../../platform/payments/provider.ts'
import type { AccountRow } from './account-queries.ts'
import type { PurchaseRow } from './payment-queries.ts'
import { type SubscriptionRow, subscriptionById } from './subscription-queries.ts'

/** A period of a plan that is paid now, and what it is counted from. */
export interface DuePeriod extends Period {
  /** Null: it is the first one of a new subscription. */
  subscription: SubscriptionRow | null
  cycle: number
  anchorAt: Date
  anchorCycle: number
  zone: string
}

type Counted = Pick<SubscriptionRow, 'anchor_at' | 'anchor_cycle' | 'cadence' | 'cycle' | 'period_end' | 'zone'>

/** The period after the last one that is paid: counted on from the anchor, or, by another cadence, from where it begins. */
export function periodAfter(
  of: Counted,
  cadence: Cadence,
): Pick<DuePeriod, 'cycle' | 'anchorAt' | 'anchorCycle'> & Period {
  const cycle = of.cycle + 1
  const goesOn = of.cadence === cadence
  const anchorAt = goesOn ? of.anchor_at : of.period_end
  const anchorCycle = goesOn ? of.anchor_cycle : cycle
  return { cycle, anchorAt, anchorCycle, ...periodOf(anchorAt, anchorCycle, cycle, cadence, of.zone) }
}

const refused = (code: string, text: string): Failure => ({ code, text, next: 'desk' })

/**
 * The period that a purchase pays, where it is paid now. A purchase that says which period it is goes on from the end of the last one; any
 * other, and that of a subscription that has expired, begins now. A failure where it may not be given any more. The account is locked.
 */
export async function duePeriod(
  of: TenantTx & { now: Date },
  { zone }: Pick<AccountRow, 'zone'>,
  purchase: PurchaseRow,
): Promise<DuePeriod | Failure> {
  if (purchase.voided_at) return refused('voided', 'What this pays was not owed any more.')
  const cadence = purchase.cadence as Cadence
  const fromNow = (cycle: number, by: string) => ({
    ...{ cycle, anchorAt: of.now, anchorCycle: cycle, zone: by },
    ...periodOf(of.now, cycle, cycle, cadence, by),
  })
  if (purchase.subscription_id === null) return { subscription: null, ...fromNow(0, zone) }
  const subscription = await subscriptionById(of, purchase.subscription_id)
  if (!subscription) throw new Error('a purchase of a subscription that is not there')
  if (subscription.state === 'cancelled') return refused('plan_cancelled', 'The plan that this pays was cancelled.')
  if (purchase.period_start === null)
    return (
      changeNow(subscription, purchase, of.now) ?? {
        subscription,
        ...fromNow(subscription.cycle + 1, subscription.zone),
      }
    )
  if (purchase.cycle !== subscription.cycle + 1)
    return refused('period_over', 'The period that this pays was paid already.')
  if (subscription.state === 'expired') return { subscription, ...fromNow(purchase.cycle, subscription.zone) }
  return { subscription, zone: subscription.zone, ...periodAfter(subscription, cadence) }
}

/** For so long an offer for the days that are left holds: some pages never close, and the days go by. */
const offeredMs = 2 * 86_400_000

/** An offer for the days that are left is only true in the period in which it was made, and only while they are about as many. */
const changeNow = (subscription: SubscriptionRow, purchase: PurchaseRow, now: Date): Failure | null =>
  subscription.period_start > purchase.created_at ||
  subscription.period_end <= now ||
  now.getTime() - purchase.created_at.getTime() > offeredMs
    ? refused('quote_over', 'The change of plan that this pays was offered for days that are over by now.')
    : null
