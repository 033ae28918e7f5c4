import type { InvoiceLine } from '@isotherm/contract/billing.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { settleSubscription } from '../company/settle-subscription.ts'
import { announceDevice } from '../devices/announce.ts'
import { insertLicence } from '../devices/licence-queries.ts'
import { numbersOf } from '../devices/licences.ts'
import { isPrivate } from '../devices/lock-device.ts'
import { changeLicence, fillPlaces, freePlaces, lapsing, lockLicence } from '../devices/place-queries.ts'
import { type PlanRow, planById } from '../provider/plans.ts'
import type { DuePeriod } from './due-period.ts'
import { scheduleFrom } from './next-action.ts'
import { noteSubscriptionEvent } from './note-billing-events.ts'
import { type PurchaseRow, tellSubscription } from './payment-queries.ts'
import type { Settling } from './settling.ts'
import { insertSubscription, subscriptionById, updateSubscription } from './subscription-queries.ts'

/**
 * Gives a period of a plan: the licence of the subscription runs until its end, with the numbers that the plan has now. The saved card that
 * paid it pays the next ones.
 */
export async function grantPeriod(
  of: Settling,
  purchase: PurchaseRow,
  period: DuePeriod,
  cardId: string | null,
): Promise<void> {
  const plan = await planOf(of, purchase)
  const { subscription } = period
  const changed = subscription
    ? await goOn(of, plan, { ...period, subscription }, purchase, cardId)
    : await begin(of, plan, period, purchase, cardId)
  await settleSubscription(of)
  for (const device of changed) announceDevice(of, device.id, 'licence', isPrivate(device))
}

const planOf = (of: Settling, { plan_id: planId }: PurchaseRow): Promise<PlanRow> => {
  if (planId === null) throw new Error('a period of no plan')
  return withLogin(of.tx, () => planById(of.tx, planId))
}

const licenceUntil = (plan: PlanRow, end: Date) => ({ ...numbersOf(plan), devices: plan.devices, expires_at: end })

/** A subscription as it is once a period of it is paid. */
const paidUntil = (plan: PlanRow, { company_id, cadence }: PurchaseRow, period: DuePeriod) => ({
  plan_id: plan.id,
  cadence: cadence ?? 'monthly',
  state: 'active',
  cycle: period.cycle,
  anchor_at: period.anchorAt,
  anchor_cycle: period.anchorCycle,
  zone: period.zone,
  period_start: period.start,
  period_end: period.end,
  next_plan_id: null,
  next_cadence: null,
  ended_at: null,
  unpaid_from: null,
  ...scheduleFrom({ company_id, cadence: cadence ?? 'monthly', zone: period.zone, period_end: period.end }),
})

async function begin(of: Settling, plan: PlanRow, period: DuePeriod, purchase: PurchaseRow, cardId: string | null) {
  const licence = await insertLicence(of, {
    ...{ source: 'subscription', hint: '', starts_at: of.now },
    ...licenceUntil(plan, period.end),
  })
  const { id } = await insertSubscription(of, {
    ...{ licence_id: licence.id, card_id: cardId, currency: purchase.currency, created_at: of.now },
    ...paidUntil(plan, purchase, period),
  })
  await tellSubscription(of, purchase.id, id)
  if (period.counted) await updateSubscription(of, period.counted.id, { unpaid_from: period.counted.until })
  await noteRenewed(of, id)
  return fillPlaces(of, licence.id, { places: plan.devices, until: period.end }, of.now)
}

/** Devices that have no place any more keep the time that they have; a change of plan takes in others whose time is over. */
async function goOn(
  of: Settling,
  plan: PlanRow,
  period: DuePeriod & { subscription: NonNullable<DuePeriod['subscription']> },
  purchase: PurchaseRow,
  cardId: string | null,
) {
  const { id, licence_id: licenceId, plan_id: before } = period.subscription
  await lockLicence(of, licenceId)
  const lapsed = await lapsing(of, licenceId, plan.devices)
  if (lapsed.length > 0)
    await freePlaces(
      of,
      licenceId,
      lapsed.map((device) => device.id),
    )
  const goingOn = await changeLicence(of, licenceId, licenceUntil(plan, period.end), of.now)
  await updateSubscription(of, id, { ...paidUntil(plan, purchase, period), ...(cardId && { card_id: cardId }) })
  await noteRenewed(of, id)
  if (before === plan.id) return goingOn
  return [...goingOn, ...(await fillPlaces(of, licenceId, { places: plan.devices, until: period.end }, of.now))]
}

async function noteRenewed(of: Settling, id: string): Promise<void> {
  const subscription = await subscriptionById(of, id)
  if (subscription) await noteSubscriptionEvent(of, 'subscription.renewed', subscription, of.now)
}

/** The lines of a period's invoice: the plan, and what is taken off for the days of the plan before that were not used. */
export async function periodLines(
  of: Settling,
  { plan_name: plan, cadence, net, unused, created_at: offeredAt }: PurchaseRow,
  { subscription, start, end }: DuePeriod,
): Promise<InvoiceLine[]> {
  const whole = {
    ...{
      what: 'plan' as const,
      plan: plan ?? '',
      cadence: cadence === 'annually' ? ('annually' as const) : ('monthly' as const),
    },
    ...{ from: start.toISOString(), to: end.toISOString(), net: Number(net) + Number(unused ?? 0) },
  }
  if (!unused || !subscription) return [whole]
  const licence = await lockLicence(of, subscription.licence_id)
  const rest = {
    ...{ what: 'unused' as const, plan: licence.plan_name ?? '', net: -Number(unused) },
    ...{ from: offeredAt.toISOString(), to: subscription.period_end.toISOString() },
  }
  return [whole, rest]
}
