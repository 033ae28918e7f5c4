import { instantOf, localDayOf } from '@isotherm/contract/zone-times.ts'
import { mayStillBeCharged, stepDue, stepOf } from '../../domain/renewal-schedule.ts'
import { type CardRow, cardById, listCards } from './card-queries.ts'
import { cardName } from './cards.ts'
import { insertPayment, LIVE, type PaymentRow, type PurchaseRow, paymentByReference } from './payment-queries.ts'
import { renewalReference } from './reference.ts'
import { advance, becomePastDue, lookAgain, note, postpone, type Renewal, waitFor } from './renewal-changes.ts'
import { expire, keyOf } from './renewal-ends.ts'
import { oweNextPeriod } from './renewal-purchase.ts'
import { lastCharge, unsettledPayment, wasCharged } from './renewal-queries.ts'
import { updateSubscription } from './subscription-queries.ts'
import { tellPayers } from './tell-payers.ts'

/** The charges that may still be made today, of all companies. */
export interface ChargeBudget {
  left: number
  /** Charges that were put off, as there were too many. */
  heldBack: number
}

const hourMs = 3_600_000
/** A charge that nobody has answered is not sent after this: the next one is made another day. */
const chargeableMs = 20 * hourMs
/** Longer than a charge takes: nobody asks for what is just begun. */
const beginMs = 120_000

/** The card that pays the next periods: that of the subscription, or, where it cannot be charged any more, the one that is offered first. */
export async function cardOf(of: Renewal): Promise<CardRow | null> {
  const { card_id: id } = of.subscription
  if (id === null) return null
  const own = await cardById(of, id)
  const card = own?.state === 'active' ? own : (await listCards(of)).find(({ state }) => state === 'active')
  return card && of.services.payments.named(card.provider as 'paystack' | 'stripe') ? card : null
}

/**
 * One step of trying to have the next period paid: concludes the charge that the step has made, or makes it. Resolves with the id of a payment
 * that is to be charged once the transaction has committed.
 */
export async function chargeStep(of: Renewal, budget: ChargeBudget): Promise<string | null> {
  const { subscription, account, now } = of
  const owed = await oweNextPeriod(of, account, subscription)
  if (!owed) return expire(of)
  const { purchase, isNew } = owed
  const about = { amount: Number(purchase.total), currency: purchase.currency }
  if (isNew) note(of, 'billing.renewalOwed', { ...about, periodStart: purchase.period_start?.toISOString() ?? null })
  const reference = renewalReference(of.services.secret, of.companyId, {
    ...{ subscription: subscription.id, cycle: subscription.cycle + 1, attempt: subscription.dunning_step + 1 },
  })
  const attempt = await paymentByReference(of, reference)
  if (attempt && hasConcluded(attempt)) return conclude(of, purchase, attempt)
  const unsettled = await unsettledPayment(of, purchase.id)
  const waiting = waitFor(of, unsettled)
  if (waiting) return waiting
  if (!mayStillBeCharged(subscription.period_end, now)) return expire(of)
  const card = await cardOf(of)
  const last = await lastCharge(of, purchase.id)
  // A page that is open all the time keeps its payer from nothing, and the schedule neither.
  if (!card || unsettled) return tellOwed(of, purchase)
  if (last?.card_id === card.id && last.failure_next === 'payer') return tellPayer(of, purchase, card)
  const today = new Date(instantOf(localDayOf(now.getTime(), subscription.zone), subscription.zone))
  if (await wasCharged(of, subscription.id, today)) return postpone(of)
  if (budget.left <= 0) {
    budget.heldBack += 1
    return postpone(of)
  }
  budget.left -= 1
  const payment = await insertPayment(of, {
    ...{ purchase_id: purchase.id, provider: card.provider, reference, card_id: card.id },
    ...{ currency: purchase.currency, amount: purchase.total, created_at: now },
    ...{ closes_at: new Date(now.getTime() + chargeableMs), check_at: new Date(now.getTime() + beginMs) },
  })
  await lookAgain(of, new Date(now.getTime() + hourMs))
  return payment.id
}

/** A page of the payer's bank is open as long as it is; the days of the schedule go on meanwhile. */
const hasConcluded = ({ state }: PaymentRow): boolean =>
  state === 'action' || (state !== 'review' && !LIVE.some((live) => live === state))

const told = (of: Renewal): boolean => !stepOf(of.renewing, of.subscription.renewal_step)?.isSilent

const factsOf = (of: Renewal, { total, currency }: PurchaseRow) => ({ plan: of.plan, amount: Number(total), currency })

async function conclude(of: Renewal, purchase: PurchaseRow, attempt: PaymentRow): Promise<null> {
  const { subscription, renewing, now } = of
  const until = (await becomePastDue(of)).toISOString()
  of.subscription = await updateSubscription(of, subscription.id, { dunning_step: subscription.dunning_step + 1 })
  const card = attempt.card_id ? await cardById(of, attempt.card_id) : undefined
  const facts = { ...factsOf(of, purchase), card: card ? cardName(card) : '', until }
  const next = subscription.renewal_step + 1
  const isHard = card?.state !== 'active' || attempt.failure_next === 'another-card'
  if (attempt.state === 'action' || attempt.failure_next === 'payer')
    await tellPayers(of, keyOf(of, 'payer'), { what: 'payer', ...facts })
  else if (told(of) || isHard) {
    const again = !isHard && stepOf(renewing, next)?.act === 'charge' ? stepDue(renewing, next, now) : null
    await tellPayers(of, keyOf(of, 'failed'), {
      ...{ what: 'failed', ...facts, reason: attempt.failure_text, again: again?.toISOString() ?? null },
    })
  }
  return advance(of)
}

/** Nothing can be charged: people pay it themselves. */
async function tellOwed(of: Renewal, purchase: PurchaseRow): Promise<null> {
  const until = (await becomePastDue(of)).toISOString()
  if (told(of)) await tellPayers(of, keyOf(of, 'owed'), { what: 'owed', ...factsOf(of, purchase), until })
  return advance(of)
}

/** The bank wants the payer, who has not come yet: another charge of the card would end in the same way. */
async function tellPayer(of: Renewal, purchase: PurchaseRow, card: CardRow): Promise<null> {
  const until = (await becomePastDue(of)).toISOString()
  const facts = { ...factsOf(of, purchase), card: cardName(card), until }
  if (told(of)) await tellPayers(of, keyOf(of, 'payer'), { what: 'payer', ...facts })
  return advance(of)
}
