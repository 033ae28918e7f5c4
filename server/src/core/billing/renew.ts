import { nextMorning, renewalSteps, stepDue, stepOf } from '../../domain/renewal-schedule.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { planById } from '../provider/plans.ts'
import { lockAccount } from './account-queries.ts'
import { cardName, hasExpired } from './cards.ts'
import { chargePayment } from './charge-payment.ts'
import { renewingOf } from './next-action.ts'
import { advance, goOnUntilExpiry, postpone, type Renewal } from './renewal-changes.ts'
import { type ChargeBudget, cardOf, chargeStep } from './renewal-charge.ts'
import { endTakenBack, endWithPeriod, expire, giveUp, keyOf } from './renewal-ends.ts'
import { type NextPeriod, nextPeriodOf, oweNextPeriod } from './renewal-purchase.ts'
import { isTakenBack, paidPurchase } from './renewal-queries.ts'
import { subscriptionById, updateSubscription } from './subscription-queries.ts'
import { tellPayers } from './tell-payers.ts'

/** More steps than a schedule has, that are done at once after a long time off. */
const maxSteps = 12

/**
 * Does what is due for a subscription by its schedule (domain/renewal-schedule.ts), and charges its card. A second one that comes at the same
 * time waits for the account, and finds nothing to do. Outside of any transaction.
 */
export async function renew(services: Services, companyId: number, id: string, budget: ChargeBudget): Promise<void> {
  for (let done = 0; done < maxSteps; done++) {
    const { isDone, charge, cycle } = await inOne(services, companyId, id, budget)
    if (charge) {
      await chargePayment(services, companyId, charge)
      // How it ended is seen to now; or in an hour, where it is not known.
      await inOne(services, companyId, id, budget, cycle)
    }
    if (isDone || charge) return
  }
}

interface Outcome {
  isDone: boolean
  charge: string | null
  cycle: number
}

/** One step in one transaction. With `concluding` also of what is not due, as long as that cycle is not paid. */
async function inOne(
  services: Services,
  companyId: number,
  id: string,
  budget: ChargeBudget,
  concluding?: number,
): Promise<Outcome> {
  const now = services.clock.now()
  const told: (() => void)[] = []
  const outcome = await inTenant(services.pool, companyId, async (transaction) => {
    const { tx } = transaction
    const account = await lockAccount({ tx, companyId })
    const subscription = await subscriptionById({ tx, companyId }, id)
    const due = subscription?.next_action_at
    const isOver = { isDone: true, charge: null, cycle: subscription?.cycle ?? 0 }
    if (!account || !subscription || !due) return isOver
    if (concluding === undefined ? due > now : subscription.cycle !== concluding) return isOver
    const { name: plan } = await withLogin(tx, () => planById(tx, subscription.plan_id))
    const of: Renewal = {
      ...{ ...transaction, services, companyId, now, afterCommit: (work: () => void) => void told.push(work) },
      ...{ account, subscription, renewing: renewingOf(subscription), plan, entries: [] },
    }
    const charge = await step(of, budget, concluding !== undefined)
    if (of.entries.length > 0)
      await writeAudit(
        tx,
        companyId,
        {
          ...{ actor: { kind: 'system', name: 'renewals' }, at: now },
          origin: { address: '', agent: 'renewals', requestId: '' },
        },
        of.entries,
      )
    return { isDone: charge !== null, charge, cycle: subscription.cycle }
  })
  for (const tell of told) tell()
  return outcome
}

async function step(of: Renewal, budget: ChargeBudget, isConcluding: boolean): Promise<string | null> {
  const { subscription, renewing, now, account } = of
  const { renewal_step: index, state } = subscription
  const wanted = stepOf(renewing, index)
  if (state === 'cancelled' || !wanted) {
    await updateSubscription(of, subscription.id, { next_action_at: null })
    return null
  }
  if (state === 'expired') return wanted.act === 'void' ? giveUp(of) : advance(of)
  if (await isTakenBack(of, subscription)) return endTakenBack(of)
  if (subscription.cancel_at_end) return endWithPeriod(of)
  // Up to the day of the end the calendar counts, whoever said when to look.
  const due = wanted.day <= 0 ? stepDue(renewing, index, now) : null
  if (due && due > now && !isConcluding) {
    await updateSubscription(of, subscription.id, { next_action_at: due })
    return null
  }
  if (account.paused_at && wanted.act !== 'goOn') return wanted.act === 'notice' ? announceLater(of) : postpone(of)
  switch (wanted.act) {
    case 'notice':
      return announceRenewal(of)
    case 'goOn':
      await goOnUntilExpiry(of, now)
      return advance(of)
    case 'charge':
      return chargeStep(of, budget)
    case 'lastWarning':
      return warn(of)
    default:
      return expire(of)
  }
}

/** A paused account is told nothing of charges, but its licences go on when their time comes. */
async function announceLater(of: Renewal): Promise<null> {
  const { renewing, subscription, now } = of
  const following = stepDue(renewing, subscription.renewal_step + 1, now) ?? now
  if (following <= now) return advance(of)
  const tomorrow = nextMorning(renewing, now)
  const at = new Date(Math.min(following.getTime(), tomorrow.getTime()))
  await updateSubscription(of, subscription.id, { next_action_at: at })
  return null
}

/** Says what will be charged, at the price and the taxes of that day. Of two notices that are due only the later is sent. */
async function announceRenewal(of: Renewal): Promise<null> {
  const { renewing, subscription, account, now } = of
  const following = stepDue(renewing, subscription.renewal_step + 1, now)
  if (following && following <= now) return advance(of)
  const charge = renewalSteps[renewing.cadence].findIndex(({ act }) => act === 'charge')
  const chargedAt = stepDue(renewing, charge, now) ?? renewing.periodEnd
  const at = renewing.periodEnd.toISOString()
  const next = await nextPeriodOf(of, account, subscription, chargedAt)
  const key = keyOf(of, 'soon')
  if (!next) await tellPayers(of, key, { what: 'ends', plan: of.plan, at })
  else {
    const { currency } = subscription
    const facts = { plan: next.plan.name, amount: next.price.total, currency, before: await priceBefore(of, next) }
    const card = await cardOf(of)
    if (!card) await tellPayers(of, key, { what: 'soonByHand', ...facts, at })
    else
      await tellPayers(of, key, {
        ...{ what: 'soon', ...facts, at: chargedAt.toISOString(), card: cardName(card) },
        cardEnds: hasExpired(card, chargedAt)
          ? new Date(Date.UTC(card.exp_year, card.exp_month - 1)).toISOString()
          : null,
      })
  }
  return advance(of)
}

/** The total of the running period, where the same plan costs another one now. */
async function priceBefore(of: Renewal, { plan, cadence, price }: NextPeriod): Promise<number | null> {
  const paid = await paidPurchase(of, of.subscription)
  const isSame = paid && paid.plan_id === plan.id && paid.cadence === cadence && paid.unused === null
  const before = isSame ? Number(paid.total) : price.total
  return before === price.total ? null : before
}

async function warn(of: Renewal): Promise<null> {
  const owed = await oweNextPeriod(of, of.account, of.subscription)
  if (!owed) return expire(of)
  const at = (await goOnUntilExpiry(of, of.now)).toISOString()
  const { total, currency } = owed.purchase
  await tellPayers(of, keyOf(of, 'lastWarning'), {
    ...{ what: 'lastWarning', plan: of.plan, amount: Number(total), currency, at },
  })
  return advance(of)
}
