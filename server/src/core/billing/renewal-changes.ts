import { graceUntil, mayWaitForPayer, nextMorning, type Renewing, stepDue } from '../../domain/renewal-schedule.ts'
import type { AuditEntry } from '../../platform/audit/audit.ts'
import { settleSubscription } from '../company/settle-subscription.ts'
import { announceDevice } from '../devices/announce.ts'
import { isPrivate } from '../devices/lock-device.ts'
import { changeLicence, lockLicence } from '../devices/place-queries.ts'
import type { AccountRow } from './account-queries.ts'
import { noteSubscriptionEvent } from './note-billing-events.ts'
import type { PaymentRow } from './payment-queries.ts'
import { isByItself } from './reference.ts'
import { owedPurchase, unsettledPayment, voidPurchase } from './renewal-queries.ts'
import type { Settling } from './settling.ts'
import { type SubscriptionRow, updateSubscription } from './subscription-queries.ts'

/** The transaction in which a job looks at a subscription. Its account is locked; `plan` is the name that people know it by. */
export interface Renewal extends Settling {
  account: AccountRow
  subscription: SubscriptionRow
  renewing: Renewing
  plan: string
  /** Written last. */
  entries: AuditEntry[]
}

const targetOf = ({ subscription, plan }: Renewal) => ({ kind: 'subscription', id: subscription.id, name: plan })

export const note = (of: Renewal, action: string, after: AuditEntry['after'] = {}): void =>
  void of.entries.push({ action, target: targetOf(of), after })

/** The licence of the subscription ends then, and with it the time of its devices. */
export async function endLicenceAt(of: Renewal, at: Date): Promise<void> {
  const { licence_id: id } = of.subscription
  const { expires_at: known } = await lockLicence(of, id)
  if (known.getTime() === at.getTime()) return
  const changed = await changeLicence(of, id, { expires_at: at }, of.now)
  await settleSubscription(of)
  for (const device of changed) announceDevice(of, device.id, 'licence', isPrivate(device))
}

/** The licence goes on for the days of grace that a step leaves, if it is done at `at`; until when. */
export async function goOnUntilExpiry(of: Renewal, at: Date): Promise<Date> {
  const until = graceUntil(of.renewing, of.subscription.renewal_step, at)
  await endLicenceAt(of, until)
  return until
}

/** The step is done. */
export async function advance(of: Renewal, to = of.subscription.renewal_step + 1): Promise<null> {
  await updateSubscription(of, of.subscription.id, {
    renewal_step: to,
    next_action_at: stepDue(of.renewing, to, of.now),
  })
  return null
}

/** The same step is looked at again then; nothing stops until it is done. */
export async function lookAgain(of: Renewal, at: Date): Promise<null> {
  await goOnUntilExpiry(of, at)
  await updateSubscription(of, of.subscription.id, { next_action_at: at })
  return null
}

const hourMs = 3_600_000

/**
 * Waits for a payment of the next period that has not ended: of one under review for the operator, of one that nobody began for its provider, of
 * a page for its payer, for some days. Undefined: nothing is waited for.
 */
export function waitFor(of: Renewal, unsettled: PaymentRow | undefined): Promise<null> | undefined {
  if (!unsettled) return undefined
  if (unsettled.state === 'review') return postpone(of)
  const waits = isByItself(unsettled.reference) || mayWaitForPayer(of.renewing, of.subscription.renewal_step, of.now)
  return waits ? lookAgain(of, new Date(of.now.getTime() + hourMs)) : undefined
}

export const postpone = (of: Renewal): Promise<null> => lookAgain(of, nextMorning(of.renewing, of.now))

/** The next period is not paid, and everything goes on for some days; until when. */
export async function becomePastDue(of: Renewal): Promise<Date> {
  if (of.subscription.state === 'active') {
    of.subscription = await updateSubscription(of, of.subscription.id, { state: 'past_due' })
    await settleSubscription(of)
    await noteSubscriptionEvent(of, 'subscription.past_due', of.subscription, of.now)
    note(of, 'subscription.pastDue', { owedSince: of.subscription.period_end.toISOString() })
  }
  return goOnUntilExpiry(of, of.now)
}

/** Nobody owes the next period any more; false where somebody may be paying it. */
export async function voidOwed(of: Renewal): Promise<boolean> {
  const owed = await owedPurchase(of, of.subscription)
  if (!owed) return true
  if (await unsettledPayment(of, owed.id)) return false
  await voidPurchase(of, owed.id, of.now)
  note(of, 'billing.renewalVoided', { amount: Number(owed.total), currency: owed.currency })
  return true
}
