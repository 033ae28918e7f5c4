import { BillingCadence, type Price, Tax } from '@isotherm/contract/billing.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { modules } from '@isotherm/contract/permissions.ts'
import {
  type PeriodAhead,
  type Plan,
  type SubscribedDevice,
  type Subscription,
  SubscriptionStanding,
  type UnlicensedDevice,
} from '@isotherm/contract/plans.ts'
import { LicenceSource } from '@isotherm/contract/subscription.ts'
import { dayMs } from '@isotherm/contract/zone-times.ts'
import { findAccount } from '../../core/billing/account-queries.ts'
import { beginning, periodAfter, ranUnpaid } from '../../core/billing/due-period.ts'
import { type Catalogue, catalogueOf, priceIn, priceOfPlan } from '../../core/billing/market.ts'
import { owedPurchase } from '../../core/billing/renewal-queries.ts'
import { findCompany } from '../../core/company/company.ts'
import { lapsing } from '../../core/devices/place-queries.ts'
import { planName } from '../../core/provider/default-plans.ts'
import type { PlanRow } from '../../core/provider/plans.ts'
import { maySee } from '../../core/visibility/visibility.ts'
import type { Period } from '../../domain/billing-period.ts'
import { unpaidDays } from '../../domain/unpaid-days.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { mayPayNow } from './pay-renewal.ts'
import { type ShownSubscription, type SubscribedRow, shownSubscription, type UnlicensedRow } from './plan-queries.ts'

const presentPeriod = ({ start, end }: Period, unpaidMs = 0): PeriodAhead => ({
  from: start.toISOString(),
  until: end.toISOString(),
  unpaidDays: Math.round(unpaidMs / dayMs),
})

/** The first period of a new subscription, where it is paid now. */
export async function firstPeriods(ctx: Context): Promise<(billing: BillingCadence) => PeriodAhead> {
  const { tx, companyId, clock } = ctx
  const now = clock.now()
  const zone = (await findAccount(ctx))?.zone ?? (await findCompany(tx, companyId)).timezone
  const unpaidMs = (await ranUnpaid({ tx, companyId, now }))?.ms ?? 0
  return (cadence) => presentPeriod(beginning(now, unpaidMs, { cycle: 0, cadence, zone }), unpaidMs)
}

export const presentPlan = (
  plan: PlanRow,
  { market, prices }: Catalogue,
  { first, locale }: { first: (billing: BillingCadence) => PeriodAhead; locale: Locale },
): Plan => ({
  id: String(plan.id),
  code: plan.code,
  name: planName(locale, plan.name),
  devices: plan.devices,
  users: plan.users,
  emails: plan.emails,
  phones: plan.phones,
  retentionMonths: plan.retention_months,
  modules: modules.filter((module) => plan.modules.includes(module)),
  payBy: market.payBy,
  prices: prices
    .filter((price) => price.plan_id === plan.id && Number(price.amount) > 0)
    .map((price) => ({
      billing: price.cadence,
      price: priceIn(market, Number(price.amount)),
      validTo: price.valid_to?.toISOString() ?? null,
      period: first(price.cadence),
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
  const owed = (await mayPayNow(ctx, row)) ? await owedPrice(ctx, row, renewalOf(row, catalogue)) : null
  return {
    id: row.id,
    plan: { id: String(row.plan_id), name: planName(ctx.locale, row.plan_name ?? '') },
    billing,
    state,
    periodStart: row.period_start.toISOString(),
    periodEnd: row.period_end.toISOString(),
    zone: row.zone,
    cancelAtEnd: row.cancel_at_end,
    next:
      coming && comingBilling
        ? { plan: { id: String(coming.id), name: planName(ctx.locale, coming.name) }, billing: comingBilling }
        : null,
    lapsing: goesOn && state === 'active' ? await lapsingShown(ctx, row.licence_id, places) : [],
    devices: { used: row.used, of: row.places },
    renewal: goesOn ? renewalOf(row, catalogue) : null,
    owed,
    owedPeriod: owed && owedPeriodOf(row, ctx.clock.now()),
    payBy: catalogue.market.payBy,
  }
}

function owedPeriodOf(row: ShownSubscription, now: Date): PeriodAhead {
  const cadence = BillingCadence.parse(row.next_cadence ?? row.cadence)
  if (row.state !== 'expired') return presentPeriod(periodAfter(row, cadence))
  const { ms } = unpaidDays(row, now)
  return presentPeriod(beginning(now, ms, { cycle: row.cycle + 1, cadence, zone: row.zone }), ms)
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

export const presentSubscribed =
  (locale: Locale) =>
  (row: SubscribedRow): SubscribedDevice => ({
    id: String(row.id),
    name: row.name,
    tag: row.tag,
    imei: row.imei,
    source: LicenceSource.parse(row.source),
    plan: row.plan_name && planName(locale, row.plan_name),
    until: row.licence_until.toISOString(),
    isCancelled: row.is_cancelled,
  })

export const presentUnlicensed = (row: UnlicensedRow): UnlicensedDevice => ({
  id: String(row.id),
  name: row.name,
  tag: row.tag,
  imei: row.imei,
  until: row.licence_until?.toISOString() ?? null,
  isOnTrial: row.is_on_trial,
})
