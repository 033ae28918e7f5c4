import { nextMorning, renewalSteps, stepDue } from '../../domain/renewal-schedule.ts'
import { noteSubscriptionEvent } from './note-billing-events.ts'
import { advance, endLicenceAt, lookAgain, note, type Renewal, voidOwed, waitFor } from './renewal-changes.ts'
import { owedPurchase, unsettledPayment } from './renewal-queries.ts'
import { type SubscriptionRow, updateSubscription } from './subscription-queries.ts'
import { tellPayers } from './tell-payers.ts'

const hourMs = 3_600_000

/** Days are counted as unpaid only where somebody was told that they are: not where a server was off. */
const unpaidFrom = ({ state, unpaid_from: from }: SubscriptionRow, now: Date): Date | null =>
  state === 'past_due' ? from : now

/**
 * The next period was not paid: the licence is over. Who pays what is owed after all gets a period that begins on that day, less the days of grace
 * that were used.
 */
export async function expire(of: Renewal): Promise<null> {
  const { subscription, now } = of
  const owed = await owedPurchase(of, subscription)
  const waiting = waitFor(of, owed && (await unsettledPayment(of, owed.id)))
  if (waiting) return waiting
  const steps = renewalSteps[of.renewing.cadence]
  const expiry = steps.findIndex(({ act }) => act === 'expire')
  of.subscription = await updateSubscription(of, subscription.id, {
    ...{ state: 'expired', ended_at: now, renewal_step: expiry, unpaid_from: unpaidFrom(subscription, now) },
  })
  await endLicenceAt(of, now)
  await noteSubscriptionEvent(of, 'subscription.expired', of.subscription, now)
  const payableUntil = (owed && stepDue(of.renewing, expiry + 1, now)?.toISOString()) ?? null
  note(of, 'subscription.expired', { payableUntil })
  await tellPayers(of, keyOf(of, 'expired'), { what: 'expired', plan: of.plan, payableUntil })
  if (owed) return advance(of, expiry + 1)
  await updateSubscription(of, subscription.id, { next_action_at: null })
  return null
}

/** Somebody wanted it to end with its period. Until then it is left alone. */
export async function endWithPeriod(of: Renewal): Promise<null> {
  const { subscription, now } = of
  const end = subscription.period_end
  if (!(await voidOwed(of))) return lookAgain(of, new Date(now.getTime() + hourMs))
  await endLicenceAt(of, end)
  if (now < end) {
    await updateSubscription(of, subscription.id, { next_action_at: end })
    return null
  }
  await updateSubscription(of, subscription.id, {
    ...{ state: 'cancelled', ended_at: now, next_action_at: null, unpaid_from: unpaidFrom(subscription, now) },
  })
  note(of, 'subscription.ended', { at: end.toISOString() })
  await tellPayers(of, keyOf(of, 'cancelled'), { what: 'cancelled', plan: of.plan, at: end.toISOString() })
  return null
}

/** The running period was given back: it is over now. One that somebody is paying meanwhile is looked at first. */
export async function endTakenBack(of: Renewal): Promise<null> {
  const { subscription, now } = of
  if (!(await voidOwed(of))) {
    await updateSubscription(of, subscription.id, { next_action_at: new Date(now.getTime() + hourMs) })
    return null
  }
  await updateSubscription(of, subscription.id, {
    ...{ state: 'cancelled', ended_at: now, next_action_at: null, unpaid_from: now },
  })
  await endLicenceAt(of, now)
  note(of, 'subscription.ended', { at: now.toISOString() })
  await tellPayers(of, keyOf(of, 'cancelled'), { what: 'cancelled', plan: of.plan, at: now.toISOString() })
  return null
}

/** An expired plan is not owed any more. */
export async function giveUp(of: Renewal): Promise<null> {
  if (!(await voidOwed(of))) {
    await updateSubscription(of, of.subscription.id, { next_action_at: nextMorning(of.renewing, of.now) })
    return null
  }
  return advance(of)
}

/** Tells a notice of one step of one period from all others. */
export const keyOf = ({ subscription }: Renewal, what: string): string =>
  `s${subscription.id}-c${subscription.cycle + 1}-${subscription.renewal_step}-${what}`
