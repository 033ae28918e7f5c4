import { BillingCadence, type Price, Tax } from '@isotherm/contract/billing.ts'
import { type Plan, type SubscribedDevice, type Subscription, SubscriptionStanding } from '@isotherm/contract/plans.ts'
import { LicenceSource } from '@isotherm/contract/subscription.ts'
import { type Catalogue, catalogueOf, priceIn, priceOfPlan } from '../../core/billing/market.ts'
import { owedPurchase } from '../../core/billing/renewal-queries.ts'
import { lapsing } from '../../core/devices/place-queries.ts'
import type { PlanRow } from '../../core/provider/plans.ts'
import { maySee } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { mayPayNow } from './pay-renewal.ts'
import { type ShownSubscription, type SubscribedRow, shownSubscription } from './plan-queries.ts'

export const presentPlan = (plan: PlanRow, { market, prices }: Catalogue): Plan => ({
  id: String(plan.id),
  code: plan.code,
  name: plan.name,
  devices: plan.devices,
  users: plan.users,
  emails: plan.emails,
  phones: plan.phones,
  retentionMonths: plan.retention_months,
  prices: prices
    .filter((price) => price.plan_id === plan.id && Number(price.amount) > 0)
    .map((price) => ({
      billing: price.cadence,
      price: priceIn(market, Number(price.amount)),
      validTo: price.valid_to?.toISOString() ?? null,
    })),
})

/** The devices that lose their place where a licence goes on with so many, of those that the person may see. */
export const lapsingShown = async (ctx: Context, licenceId: number, places: number) =>
  (await lapsing(ctx, licenceId, places))
    .filter((device) => maySee(ctx.person, device))
    .map(({ id, name }) => ({ id: String(id), name }))

export async function presentSubscription(
  ctx: Context,
  row: ShownSubscription,
  catalogue: Catalogue,
): Promise<Subscription> {
  const state = SubscriptionStanding.parse(row.state)
  const billing = BillingCadence.parse(row.cadence)
  const named = (id: number) => catalogue.plans.find((plan) => plan.id === id)
  const coming = row.next_plan_id === null ? undefined : named(row.next_plan_id)
  const comingBilling = BillingCadence.nullable().parse(row.next_cadence)
  const goesOn = state !== 'cancelled' && !row.cancel_at_end
  const places = coming?.devices ?? row.places
  return {
    id: row.id,
    plan: { id: String(row.plan_id), name: row.plan_name ?? '' },
    billing,
    state,
    periodStart: row.period_start.toISOString(),
    periodEnd: row.period_end.toISOString(),
    zone: row.zone,
    cancelAtEnd: row.cancel_at_end,
    next:
      coming && comingBilling ? { plan: { id: String(coming.id), name: coming.name }, billing: comingBilling } : null,
    lapsing: goesOn && state === 'active' ? await lapsingShown(ctx, row.licence_id, places) : [],
    devices: { used: row.used, of: row.places },
    renewal: goesOn ? renewalOf(row, catalogue) : null,
    owed: (await mayPayNow(ctx, row)) ? await owedPrice(ctx, row, renewalOf(row, catalogue)) : null,
  }
}

/** The next period by today's price list. */
const renewalOf = (row: ShownSubscription, catalogue: Catalogue): Price | null =>
  priceOfPlan(catalogue, row.next_plan_id ?? row.plan_id, BillingCadence.parse(row.next_cadence ?? row.cadence))

/** The price at which it came to be owed; before that, today’s. */
async function owedPrice(ctx: Context, row: ShownSubscription, today: Price | null): Promise<Price | null> {
  const owed = await owedPurchase(ctx, row)
  if (!owed) return today
  const { currency, net, taxes, total } = owed
  return { currency, net: Number(net), taxes: Tax.array().parse(taxes), total: Number(total) }
}

/** A subscription of the company. Throws NOT_FOUND. */
export const showSubscription = async (ctx: Context, id: string): Promise<Subscription> =>
  presentSubscription(ctx, orNotFound(await shownSubscription(ctx, id)), await catalogueOf(ctx, ctx.clock.now()))

export const presentSubscribed = (row: SubscribedRow): SubscribedDevice => ({
  id: String(row.id),
  name: row.name,
  tag: row.tag,
  imei: row.imei,
  source: LicenceSource.parse(row.source),
  plan: row.plan_name,
  until: row.licence_until.toISOString(),
  isCancelled: row.is_cancelled,
})
