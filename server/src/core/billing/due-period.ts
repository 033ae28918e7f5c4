import { type Cadence, type Period, periodOf } from '../../domain/billing-period.ts'
import { unusedOf } from '../../domain/change-of-plan.ts'
import { unpaidDays } from '../../domain/unpaid-days.ts'
import type { TenantTx } from '../../platform/context.ts'
import type { Failure } from '../../platform/payments/provider.ts'
import type { AccountRow } from './account-queries.ts'
import { waitingForChange } from './change-transfers.ts'
import { type PurchaseRow, paidForPeriod } from './payment-queries.ts'
import { mayHaveRunUnpaid, type SubscriptionRow, subscriptionById } from './subscription-queries.ts'

/** A period of a plan that is paid now, and what it is counted from. */
export interface DuePeriod extends Period {
  /** Null: it is the first one of a new subscription. */
  subscription: SubscriptionRow | null
  cycle: number
  anchorAt: Date
  anchorCycle: number
  zone: string
  /** Another subscription whose days without pay are in it, up to an instant. */
  counted?: { id: string; until: Date } | undefined
}

type Counted = Pick<
  SubscriptionRow,
  'anchor_at' | 'anchor_cycle' | 'cadence' | 'cycle' | 'period_end' | 'unpaid_from' | 'zone'
>

/**
 * The period after the last one that is paid: counted on from the anchor, or, by another cadence, from where it begins. Days after its end that
 * were counted in another plan's period are not paid twice: it begins after them.
 */
export function periodAfter(
  of: Counted,
  cadence: Cadence,
): Pick<DuePeriod, 'cycle' | 'anchorAt' | 'anchorCycle'> & Period {
  const cycle = of.cycle + 1
  const goesOn = of.cadence === cadence && of.unpaid_from === null
  const anchorAt = goesOn ? of.anchor_at : (of.unpaid_from ?? of.period_end)
  const anchorCycle = goesOn ? of.anchor_cycle : cycle
  return { cycle, anchorAt, anchorCycle, ...periodOf(anchorAt, anchorCycle, cycle, cadence, of.zone) }
}

const refused = (code: string, text: string): Failure => ({ code, text, next: 'desk' })

/** A period that is paid now, by itself. Where days without pay came before, it begins so much earlier as they lasted. */
export function beginning(
  now: Date,
  unpaidMs: number,
  { cycle, cadence, zone }: { cycle: number; cadence: Cadence; zone: string },
): Pick<DuePeriod, 'cycle' | 'anchorAt' | 'anchorCycle' | 'zone'> & Period {
  const start = new Date(now.getTime() - unpaidMs)
  return { cycle, anchorAt: start, anchorCycle: cycle, zone, ...periodOf(start, cycle, cycle, cadence, zone) }
}

/** The subscription of a company that ran longest without pay, as far as nothing has counted it: the next one that begins does. */
export async function ranUnpaid(
  of: TenantTx & { now: Date },
): Promise<{ id: string; ms: number; until: Date } | undefined> {
  const rows = (await mayHaveRunUnpaid(of)).map((row) => ({ id: row.id, ...unpaidDays(row, of.now) }))
  return rows.filter(({ ms }) => ms > 0).sort((one, other) => other.ms - one.ms)[0]
}

/**
 * The period that a purchase pays, where it is paid now. A purchase that says which period it is goes on from the end of the last one; any
 * other, and that of a subscription that has expired, begins now, less the days of grace that nobody has paid. A failure where it may not be
 * given any more. The account is locked.
 */
export async function duePeriod(
  of: TenantTx & { now: Date },
  { zone }: Pick<AccountRow, 'zone'>,
  purchase: PurchaseRow,
  byTransfer = false,
): Promise<DuePeriod | Failure> {
  if (purchase.voided_at) return refused('voided', 'What this pays was not owed any more.')
  const cadence = purchase.cadence as Cadence
  const fromNow = (cycle: number, by: string, unpaidMs = 0) => beginning(of.now, unpaidMs, { cycle, cadence, zone: by })
  if (purchase.subscription_id === null) {
    const counted = await ranUnpaid(of)
    return { subscription: null, counted, ...fromNow(0, zone, counted?.ms) }
  }
  const subscription = await subscriptionById(of, purchase.subscription_id)
  if (!subscription) throw new Error('a purchase of a subscription that is not there')
  if (subscription.state === 'cancelled') return refused('plan_cancelled', 'The plan that this pays was cancelled.')
  if (purchase.period_start === null)
    return (
      (await changeNow(of, subscription, purchase, byTransfer)) ?? {
        subscription,
        ...fromNow(subscription.cycle + 1, subscription.zone),
      }
    )
  if (purchase.cycle !== subscription.cycle + 1)
    return refused('period_over', 'The period that this pays was paid already.')
  if (subscription.state === 'expired')
    return { subscription, ...fromNow(purchase.cycle, subscription.zone, unpaidDays(subscription, of.now).ms) }
  return { subscription, zone: subscription.zone, ...periodAfter(subscription, cadence) }
}

/** For so long an offer for the days that are left holds: some pages never close, and the days go by. */
const offeredMs = 2 * 86_400_000

const isOver = refused('quote_over', 'The change of plan that this pays was offered for days that are over by now.')
const isRefunded = refused('quote_refunded', 'The days that this takes off were paid back since it was offered.')

/**
 * An offer for the days that are left is only true in the period in which it was made, only while they are about as many, and only while they are
 * not paid back. One that is paid by transfer holds as long as that is waited for.
 */
async function changeNow(
  of: TenantTx & { now: Date },
  { id, cycle, period_start: start, period_end: end }: SubscriptionRow,
  { created_at: offeredAt, unused }: PurchaseRow,
  byTransfer: boolean,
): Promise<Failure | null> {
  const { now } = of
  const holds = byTransfer ? waitingForChange(end, offeredAt)?.closes : new Date(offeredAt.getTime() + offeredMs)
  if (start > offeredAt || end <= now || !holds || now > holds) return isOver
  if (!unused) return null
  return unusedOf({ start, end }, await paidForPeriod(of, id, cycle), offeredAt) < Number(unused) ? isRefunded : null
}
