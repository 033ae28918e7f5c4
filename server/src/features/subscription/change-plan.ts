import type { BillingCadence, Payment } from '@isotherm/contract/billing.ts'
import type { ChangeQuote, PlanChange, Subscription } from '@isotherm/contract/plans.ts'
import { lockAccount } from '../../core/billing/account-queries.ts'
import { goOnPaying } from '../../core/billing/buy.ts'
import { needProofToCharge } from '../../core/billing/card-proof.ts'
import { changePartlyPaid, waitingForChange } from '../../core/billing/change-transfers.ts'
import { periodAfter } from '../../core/billing/due-period.ts'
import { type Catalogue, catalogueOf, priceIn } from '../../core/billing/market.ts'
import type { Waiting } from '../../core/billing/open-transfer.ts'
import { isPeriodOwed, paidForPeriod } from '../../core/billing/payment-queries.ts'
import { showPayment } from '../../core/billing/show-payment.ts'
import { updateSubscription } from '../../core/billing/subscription-queries.ts'
import { planName } from '../../core/provider/default-plans.ts'
import { type Period, periodOf } from '../../domain/billing-period.ts'
import { unusedOf } from '../../domain/change-of-plan.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import { type ShownSubscription, shownSubscription } from './plan-queries.ts'
import { lapsingShown, showSubscription } from './present-plans.ts'
import { buyPeriod, type OnSale, payPath, planOnSale } from './subscribe.ts'

type WantedPlan = { planId: string; billing: BillingCadence }

interface Change extends OnSale {
  quote: ChangeQuote
  waiting: Waiting | null
}

/**
 * A change of plan as it would be done now: to more devices at once, for what the days ahead of this period leave to pay, by a card, a page or a transfer; any other with the next
 * period. Throws ALREADY_CANCELLED, PERIOD_UNPAID, PAYMENTS_OFF, PLAN_NOT_SOLD or CURRENCY_NOT_SOLD.
 */
async function changeOf(
  ctx: Context,
  row: ShownSubscription,
  wanted: WantedPlan,
  catalogue: Catalogue,
): Promise<Change> {
  if (row.cancel_at_end || row.state === 'cancelled') throw new AppError('ALREADY_CANCELLED')
  if (row.state !== 'active' || (await isPeriodOwed(ctx, row.id))) throw new AppError('PERIOD_UNPAID')
  const { billing } = wanted
  const sold = planOnSale(ctx, catalogue, wanted.planId, billing)
  const now = ctx.clock.now()
  const whole = sold.price.net
  const unused = await unusedNow(ctx, row, now)
  const isNow = sold.plan.devices > row.places && billing === row.cadence && row.period_start <= now && unused < whole
  const period: Period = isNow ? periodOf(now, 0, 0, billing, row.zone) : periodAfter(row, billing)
  const price = isNow ? priceIn(catalogue.market, whole - unused) : sold.price
  const waiting = isNow ? waitingForChange(row.period_end, now) : null
  const payBy = isNow ? catalogue.market.payBy.filter((way) => way === 'page' || waiting) : []
  const quote: ChangeQuote = {
    plan: { id: String(sold.plan.id), name: planName(ctx.locale, sold.plan.name) },
    billing,
    when: isNow ? 'now' : 'atEnd',
    from: period.start.toISOString(),
    until: period.end.toISOString(),
    whole,
    unused: isNow ? unused : 0,
    price,
    payBy,
    transferUntil: payBy.includes('transfer') ? (waiting?.until.toISOString() ?? null) : null,
    lapsing: await lapsingShown(ctx, row.licence_id, sold.plan.devices),
  }
  return { ...sold, price, quote, waiting }
}

const unusedNow = async (ctx: Context, row: ShownSubscription, now: Date): Promise<number> =>
  unusedOf({ start: row.period_start, end: row.period_end }, await paidForPeriod(ctx, row.id, row.cycle), now)

/** Null where it cannot be done now. Throws NOT_FOUND. */
export async function quoteChange(ctx: Context, id: string, wanted: WantedPlan): Promise<ChangeQuote | null> {
  const row = orNotFound(await shownSubscription(ctx, id))
  try {
    return (await changeOf(ctx, row, wanted, await catalogueOf(ctx, ctx.clock.now()))).quote
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

type Changed = { subscription: Subscription; payment: Payment | null }

/**
 * Changes the plan as it was quoted. Throws NOT_FOUND, QUOTE_STALE where it would be done otherwise by now, PROOF_NEEDED, and all that `changeOf` and paying
 * throw.
 */
export async function changePlan(
  ctx: Context,
  id: string,
  wanted: PlanChange,
): Promise<Changed | AfterCommit<Changed>> {
  const account = await lockAccount(ctx)
  const row = orNotFound(await shownSubscription(ctx, id))
  if (!account) throw new Error('a subscription without an account')
  const answer = async (begun: Payment | AfterCommit<Payment>) => {
    const subscription = await showSubscription(ctx, id)
    if (!(begun instanceof AfterCommit)) return { subscription, payment: begun }
    return new AfterCommit(async () => ({ subscription, payment: await begun.answer() }))
  }
  // It may be paid meanwhile, and then the plan is another one.
  const cutOff = await goOnPaying(ctx, payPath)
  if (cutOff) return answer(cutOff)
  const change = await changeOf(ctx, row, wanted, await catalogueOf(ctx, ctx.clock.now()))
  const { quote, price, plan } = change
  if (quote.when !== wanted.when || price.total !== wanted.total || price.currency !== wanted.currency)
    throw new AppError('QUOTE_STALE')
  if (quote.when === 'now') {
    const payBy = wanted.cardId === undefined ? wanted.payBy : 'page'
    if (!quote.payBy.includes(payBy)) throw new AppError('PAYMENTS_OFF')
    const partly = await changePartlyPaid(ctx, row.id)
    if (partly) return { subscription: await showSubscription(ctx, id), payment: await showPayment(ctx, partly.id) }
    const provider = payBy === 'page' ? change.provider : null
    const more = { subscription_id: row.id, unused: quote.unused > 0 ? String(quote.unused) : null }
    const begun = await buyPeriod(
      ctx,
      account,
      { ...change, provider },
      wanted.billing,
      wanted,
      more,
      change.waiting ?? undefined,
    )
    return answer(begun)
  }
  const stays = plan.id === row.plan_id && wanted.billing === row.cadence
  const next = stays
    ? { next_plan_id: null, next_cadence: null }
    : { next_plan_id: plan.id, next_cadence: wanted.billing }
  if (next.next_plan_id !== row.next_plan_id || next.next_cadence !== row.next_cadence) {
    // The card of the subscription is charged for it later, and nobody is asked then.
    if (row.card_id !== null && !stays) await needProofToCharge(ctx, price)
    await updateSubscription(ctx, row.id, next)
    ctx.audit({
      action: 'subscription.changePlanned',
      target: { kind: 'subscription', id: row.id, name: row.plan_name ?? '' },
      after: { plan: plan.name, billing: wanted.billing, from: quote.from },
    })
  }
  return { subscription: await showSubscription(ctx, id), payment: null }
}
