import type { PriceSummary } from '@isotherm/contract/orders.ts'
import { majorText } from '../../domain/money.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type InsurancePlanRow, type Insured, plansFor } from '../provider/insurance-plans.ts'
import { announceOrder } from './announce-order.ts'
import { askInsurer, tellInsurerVoid } from './ask-insurer.ts'
import { standingFault } from './cover.ts'
import { type EventAuthor, type EventDraft, noteEvent } from './events.ts'
import {
  changeInsurance,
  type InsuranceRow,
  insertInsurance,
  insuranceOf,
  lockInsurance,
  setPrice,
} from './insurance-queries.ts'
import { type OrderRow, receiversOf } from './order-queries.ts'

/** The context of a change to the insurance of an order, in the name of `by`. */
export type Insuring = Pick<
  Context,
  'tx' | 'companyId' | 'clock' | 'audit' | 'enqueue' | 'afterCommit' | 'services'
> & { by: EventAuthor }

/** The premium of a plan for goods of a worth, in minor units: half a unit is rounded up. */
export const premiumOf = (
  { rate_bp, min_premium }: Pick<InsurancePlanRow, 'rate_bp' | 'min_premium'>,
  worth: number,
): number => Math.max(Number(min_premium), Number((BigInt(worth) * BigInt(rate_bp) + 5_000n) / 10_000n))

/** A plan that is offered for these goods. Throws PLAN_NOT_FITTING. */
export async function fittingPlan({ tx }: TenantTx, planId: string, insured: Insured): Promise<InsurancePlanRow> {
  const [plan] = await withLogin(tx, () => plansFor(tx, insured, planId))
  if (!plan) throw new AppError('PLAN_NOT_FITTING')
  return plan
}

const zero = { net: 0, taxes: [], taxNote: null, taxCountry: null, taxSince: null, isTaxVerified: false, total: 0 }

/** A price with this premium, or with none. Premiums are not taxed. */
export function priceWithPremium(
  price: PriceSummary | null,
  currency: string,
  premium: { label: string; amount: number } | null,
): PriceSummary {
  const before = price ?? { ...zero, currency, lines: [] }
  const others = before.lines.filter(({ kind }) => kind !== 'insurance')
  const lines = premium ? [...others, { kind: 'insurance' as const, isTaxed: false, ...premium }] : others
  const net = lines.reduce((sum, { amount }) => sum + amount, 0)
  return { ...before, lines, net, total: net + before.taxes.reduce((sum, { amount }) => sum + amount, 0) }
}

const priced = (order: OrderRow) => order.price as PriceSummary | null
const moneyText = (amount: number, currency: string) => `${majorText(amount, currency)} ${currency}`
const target = (order: OrderRow) => ({ kind: 'order', id: order.id, name: order.tracking_code })

/**
 * Buys the insurance of a new order, which is locked: the insurer is asked once this has committed. Throws ALREADY_INSURED,
 * INSURANCE_TOO_LATE or PLAN_NOT_FITTING.
 */
export async function requestInsurance(
  ctx: Insuring,
  order: OrderRow,
  planId: string,
  worth: number,
): Promise<InsuranceRow> {
  if (order.state !== 'new') throw new AppError('INSURANCE_TOO_LATE')
  const before = await lockInsurance(ctx, order.id)
  if (before?.state === 'requested' || before?.state === 'certified') throw new AppError('ALREADY_INSURED')
  const receivers = await receiversOf(ctx, [order.id])
  const countries = [order.pickup_country, ...receivers.map(({ country }) => country)].filter((one) => one !== null)
  const insured = { worth, currency: order.currency, countries: [...new Set(countries)] }
  const plan = await fittingPlan(ctx, planId, insured)
  const premium = premiumOf(plan, worth)
  const at = ctx.clock.now()
  const { id: plan_id, name, insurer, currency, rate_bp, deductible, products, temperature_clause } = plan
  const bought = { name, insurer, rate_bp, deductible, products, temperature_clause }
  const row = await insertInsurance(ctx, {
    ...{ orderId: order.id, planId: plan_id, plan: bought, worth, premium, currency, at },
  })
  await setPrice(
    ctx,
    order.id,
    priceWithPremium(priced(order), currency, { label: name, amount: premium }),
    currency,
    at,
  )
  const facts = { plan: name, insurer, worth: moneyText(worth, currency), premium: moneyText(premium, currency) }
  await note(ctx, order, 'insuranceRequested', facts)
  ctx.audit({ action: 'insurances.requested', target: target(order), after: facts })
  await ctx.enqueue(askInsurer, { companyId: ctx.companyId, reference: row.reference })
  return row
}

async function note(
  ctx: Insuring,
  order: OrderRow,
  kind: EventDraft['kind'],
  detail: NonNullable<EventDraft['detail']>,
): Promise<void> {
  await noteEvent(ctx, order.id, { kind, at: ctx.clock.now(), zone: order.pickup_zone, by: ctx.by, detail })
  announceOrder(ctx, order.id)
}

/** Ends the insurance of an order that has not started, if it has one: the premium is not owed. The order is locked. */
export async function voidInsurance(ctx: Insuring, order: OrderRow, reason: string): Promise<void> {
  const row = await lockInsurance(ctx, order.id)
  if (!row || row.state === 'void') return
  const at = ctx.clock.now()
  await changeInsurance(ctx, row.id, { state: 'void', settled_at: at, void_reason: reason })
  await setPrice(ctx, order.id, priceWithPremium(priced(order), row.currency, null), row.currency, at)
  await note(ctx, order, 'insuranceVoid', { plan: row.plan.name, policyNumber: row.policy_number, reason })
  ctx.audit({
    action: 'insurances.cancelled',
    target: target(order),
    before: { plan: row.plan.name, premium: moneyText(Number(row.premium), row.currency) },
    reason,
  })
  if (row.state !== 'declined')
    await ctx.enqueue(tellInsurerVoid, { companyId: ctx.companyId, reference: row.reference })
}

/**
 * Refuses to start an order that somebody wants to be insured and that is not covered. There is no way round it but to cancel the
 * insurance. Throws INSURANCE_PENDING or INSURANCE_MISMATCH.
 */
export async function refuseUninsured(ctx: TenantTx & Pick<Context, 'clock'>, order: OrderRow): Promise<void> {
  const row = await insuranceOf(ctx, order.id)
  if (!row || row.state === 'void') return
  if (row.state === 'requested') throw new AppError('INSURANCE_PENDING')
  const reason = await standingFault(ctx, order, row, ctx.clock.now())
  if (reason) throw new AppError('INSURANCE_MISMATCH', { reason })
}
