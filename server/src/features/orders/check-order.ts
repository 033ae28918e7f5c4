import type { NewOrder } from '@isotherm/contract/new-order.ts'
import { PriceSummary } from '@isotherm/contract/orders.ts'
import { fittingPlan, premiumOf, priceWithPremium } from '../../core/orders/insurance.ts'
import type { OrderRow } from '../../core/orders/order-queries.ts'
import type { Context } from '../../platform/context.ts'
import { Faults } from '../../platform/errors/faults.ts'
import type { OwnMoney } from './draft-facts.ts'
import { draftOrder, type OrderDraft } from './draft-order.ts'
import { factsOf } from './order-facts.ts'
import { insuranceWarnings } from './order-warnings.ts'

/**
 * Checks an order before it is made, or before `changes` becomes it. Throws VALIDATION with every fault of its fields; else DEVICE_DECOMMISSIONED, DRIVER_INACTIVE,
 * VEHICLE_UNAVAILABLE or PLAN_NOT_FITTING.
 */
export async function checkOrder(ctx: Context, input: NewOrder, changes?: OrderRow): Promise<OrderDraft> {
  const faults = new Faults()
  const ownMoney = changes ? ownMoneyOf(changes) : null
  const draft = draftOrder({ ...(await factsOf(ctx, input)), ownMoney }, input, faults)
  faults.throwIfAny()
  for (const { error } of draft.refusals) throw error
  return input.insurancePlanId === null ? draft : insured(ctx, draft, input.insurancePlanId)
}

/** The draft with what the plan costs now, in what people are shown. Throws PLAN_NOT_FITTING. */
async function insured(ctx: Context, draft: OrderDraft, planId: string): Promise<OrderDraft> {
  const { pickup, stops, worth, currency, price, checked } = draft
  const countries = [...new Set([pickup, ...stops].flatMap(({ country }) => country ?? []))]
  const plan = await fittingPlan(ctx, planId, { worth, currency, countries })
  const premium = { label: plan.name, amount: premiumOf(plan, worth) }
  return {
    ...draft,
    checked: {
      ...checked,
      price: priceWithPremium(price, plan.currency, premium),
      warnings: [...insuranceWarnings(plan.lead_hours, { ...draft, now: ctx.clock.now() }), ...checked.warnings],
    },
  }
}

function ownMoneyOf({ currency, price }: OrderRow): OwnMoney | null {
  if (currency === null) return null
  const byCard = PriceSummary.nullable()
    .parse(price)
    ?.lines.find(({ isByCard }) => isByCard)
  return { currency, cardFee: byCard?.amount ?? 0 }
}
