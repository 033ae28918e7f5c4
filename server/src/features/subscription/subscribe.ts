import type { BillingCadence, Payment, Price } from '@isotherm/contract/billing.ts'
import type { Subscribing } from '@isotherm/contract/plans.ts'
import type { AccountRow } from '../../core/billing/account-queries.ts'
import { buy, buyerAccount, refuseOtherPrice } from '../../core/billing/buy.ts'
import { type Catalogue, catalogueOf, priceOfPlan } from '../../core/billing/market.ts'
import type { Waiting } from '../../core/billing/open-transfer.ts'
import type { Bought } from '../../core/billing/payment-queries.ts'
import type { PlanRow } from '../../core/provider/plans.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AfterCommit } from '../../platform/http/after-commit.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'

export interface OnSale {
  plan: PlanRow
  price: Price
  provider: PaymentProvider | null
}

/** A plan as it may be bought today. Throws PAYMENTS_OFF, PLAN_NOT_SOLD or CURRENCY_NOT_SOLD. */
export function planOnSale(ctx: Context, catalogue: Catalogue, planId: string, billing: BillingCadence): OnSale {
  const { provider, payBy } = catalogue.market
  if (payBy.length === 0 || !ctx.services.config.billing.isOn) throw new AppError('PAYMENTS_OFF')
  const plan = catalogue.plans.find((one) => String(one.id) === planId && one.archived_at === null)
  if (!plan) throw new AppError('PLAN_NOT_SOLD')
  const price = priceOfPlan(catalogue, plan.id, billing)
  if (price) return { plan, price, provider }
  const isPriced = catalogue.prices.some((one) => one.plan_id === plan.id)
  throw new AppError(isPriced ? 'PLAN_NOT_SOLD' : 'CURRENCY_NOT_SOLD')
}

/** Where the payer of a plan comes back to. */
export const payPath = '/subscription/devices'

/** Pays for a period of a plan by a saved card, or begins to on a page, or without a provider by transfer. The account is locked. */
export const buyPeriod = (
  ctx: Context,
  account: AccountRow,
  { plan, price, provider }: OnSale,
  billing: BillingCadence,
  by: Pick<Subscribing, 'cardId' | 'keepCard'>,
  more: Pick<Bought, 'subscription_id' | 'unused'> = {},
  waiting?: Waiting,
): Promise<Payment | AfterCommit<Payment>> =>
  buy(ctx, account, {
    bought: { purpose: 'subscription', plan_id: plan.id, plan_name: plan.name, cadence: billing, ...more },
    ...{ price, provider, facts: { plan: plan.name, billing }, path: payPath },
    ...{ cardId: by.cardId, keepCard: by.keepCard, waiting },
  })

/**
 * Pays for a plan, or begins to, at the price that was shown; the payment makes the subscription. Throws BILLING_DETAILS_NEEDED, PAYMENTS_OFF,
 * PLAN_NOT_SOLD, CURRENCY_NOT_SOLD, PRICE_CHANGED, NOT_FOUND, CARD_UNUSABLE, PAYMENT_UNDER_WAY, INVOICES_OWED, PAYMENT_DECLINED,
 * PAYMENT_REFUSED or PROVIDER_UNREACHABLE.
 */
export async function subscribe(ctx: Context, wanted: Subscribing): Promise<Payment | AfterCommit<Payment>> {
  const account = await buyerAccount(ctx)
  const catalogue = await catalogueOf(ctx, ctx.clock.now())
  const sold = planOnSale(ctx, catalogue, wanted.planId, wanted.billing)
  if (!catalogue.market.payBy.includes(wanted.payBy)) throw new AppError('PAYMENTS_OFF')
  refuseOtherPrice(sold.price, wanted)
  const provider = wanted.payBy === 'page' ? sold.provider : null
  return buyPeriod(ctx, account, { ...sold, provider }, wanted.billing, wanted)
}
