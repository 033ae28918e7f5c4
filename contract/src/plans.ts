import { z } from 'zod'
import { BillingCadence, PayBy, Payment, Price } from './billing.ts'
import { del, get, post } from './call.ts'
import { Id, Instant } from './common.ts'
import { Paging, pageOf } from './paging.ts'
import { modules } from './permissions.ts'
import { Licence, LicenceSource } from './subscription.ts'

/** A period as it is where it is paid today. It begins before today where days of grace were used that nobody paid: they are a part of it. */
export const PeriodAhead = z.object({ from: Instant, until: Instant, unpaidDays: z.number().int() })
export type PeriodAhead = z.infer<typeof PeriodAhead>

/** The price of a plan today, for one month or year. */
export const PlanPrice = z.object({
  billing: BillingCadence,
  price: Price,
  /** Until when it is known to be so. */
  validTo: Instant.nullable(),
  period: PeriodAhead,
})

/** A plan on sale; without prices it is not sold in the company's currency. */
export const Plan = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  devices: z.number().int(),
  users: z.number().int(),
  emails: z.number().int(),
  phones: z.number().int(),
  retentionMonths: z.number().int(),
  /** The modules of the product that it has. */
  modules: z.array(z.enum(modules)),
  prices: z.array(PlanPrice),
  /** How its first period may be paid. */
  payBy: z.array(PayBy),
})
export type Plan = z.infer<typeof Plan>

/**
 * - `past_due`: its last period is over, and the next one is not paid; all goes on for a while
 * - `expired`: it has not been paid; a payment brings it back
 * - `cancelled`: it is over
 */
export const SubscriptionStanding = z.enum(['active', 'past_due', 'expired', 'cancelled'])
export type SubscriptionStanding = z.infer<typeof SubscriptionStanding>

const PlanName = z.object({ id: Id, name: z.string() })
const DeviceName = z.object({ id: Id, name: z.string() })

/** A running order of a plan: what is paid for, until when, and what comes then. */
export const Subscription = z.object({
  id: Id,
  plan: PlanName,
  billing: BillingCadence,
  state: SubscriptionStanding,
  periodStart: Instant,
  periodEnd: Instant,
  /** Its periods begin by the clock of this zone. */
  zone: z.string(),
  /** It ends with its period. */
  cancelAtEnd: z.boolean(),
  /** The plan from the next period on; null: it stays as it is. */
  next: z.object({ plan: PlanName, billing: BillingCadence }).nullable(),
  /** Devices that lose their place with the next period, as far as the caller may see them. */
  lapsing: z.array(DeviceName),
  devices: z.object({ used: z.number().int(), of: z.number().int() }),
  /** The price of the next period today; null where there is none, or it is not sold any more. */
  renewal: Price.nullable(),
  /** The next period, where somebody may pay it now: no card does, or none could be charged. */
  owed: Price.nullable(),
  /** The period that it then pays for. */
  owedPeriod: PeriodAhead.nullable(),
  /** How its periods may be paid. */
  payBy: z.array(PayBy),
})
export type Subscription = z.infer<typeof Subscription>

/** `total` and `currency` are what was shown: where the price is another by now, nothing is begun (PRICE_CHANGED). */
const Shown = { total: z.number().int().min(0), currency: z.string().regex(/^[A-Z]{3}$/, 'currency') }
/** A saved card that is charged at once; without one the payer goes to the provider's page, whose card may be kept for the next periods. */
const PaidBy = { cardId: Id.optional(), keepCard: z.boolean().optional() }
/** By transfer it begins when the money is in: the answer says where to pay, and what to name. */
const Way = { payBy: PayBy.default('page') }
export const Subscribing = z.strictObject({ planId: Id, billing: BillingCadence, ...Shown, ...PaidBy, ...Way })
export type Subscribing = z.infer<typeof Subscribing>

/** The next period as it was shown, paid by a saved card, on a page or by transfer. */
export const RenewalPayment = z.strictObject({ ...Shown, ...PaidBy, ...Way })
export type RenewalPayment = z.infer<typeof RenewalPayment>

/** A change of plan as it would be done now. */
export const ChangeQuote = z.object({
  plan: PlanName,
  billing: BillingCadence,
  /** `now`: it is paid at once, and a new period begins. `atEnd`: it is in force from the next period on, and nothing is paid before. */
  when: z.enum(['now', 'atEnd']),
  from: Instant,
  /** The end of its first period. */
  until: Instant,
  /** Net, for a whole period. */
  whole: z.number().int(),
  /** Net: the days of this period that are not used, taken off. */
  unused: z.number().int(),
  price: Price,
  /** How it may be paid where it is paid now; by transfer only where the period lasts long enough for one. */
  payBy: z.array(PayBy),
  /** Until when a transfer has to be in; null: it is not paid by transfer. */
  transferUntil: Instant.nullable(),
  /** Devices that lose their place with it, as far as the caller may see them. */
  lapsing: z.array(DeviceName),
})
export type ChangeQuote = z.infer<typeof ChangeQuote>

/** The change as it was shown: where it is another by now, nothing is done (QUOTE_STALE). */
export const PlanChange = Subscribing.extend({ when: ChangeQuote.shape.when })
export type PlanChange = z.infer<typeof PlanChange>

/** A device on a licence that runs. */
export const SubscribedDevice = z.object({
  id: Id,
  name: z.string(),
  tag: z.string().nullable(),
  imei: z.string().nullable(),
  source: LicenceSource,
  plan: z.string().nullable(),
  until: Instant,
  /** Its place is not renewed. */
  isCancelled: z.boolean(),
})
export type SubscribedDevice = z.infer<typeof SubscribedDevice>

/** A device in use that no licence covers, or a trial only. */
export const UnlicensedDevice = z.object({
  id: Id,
  name: z.string(),
  tag: z.string().nullable(),
  imei: z.string().nullable(),
  /** The end of its last licence, or of its trial. */
  until: Instant.nullable(),
  isOnTrial: z.boolean(),
})
export type UnlicensedDevice = z.infer<typeof UnlicensedDevice>

/** A device's place in a plan, and what became of the plan. */
const DevicePlace = z.object({
  device: DeviceName,
  until: Instant,
  isCancelled: z.boolean(),
  subscription: Subscription,
})

export const plans = {
  plans: get('/enterprise/plans', {
    needs: 'payments.view',
    summary: 'The plans on sale, the smallest first, with today’s prices and taxes; none where nothing is sold',
    query: Paging.omit({ search: true }),
    returns: pageOf(Plan),
  }),
  subscriptions: get('/enterprise/subscriptions', {
    needs: 'payments.view',
    summary: 'The subscriptions of the company, those that run first',
    query: Paging.omit({ search: true }),
    returns: pageOf(Subscription),
  }),
  subscribe: post('/enterprise/subscriptions', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    limit: 'money',
    summary:
      'Pays for a plan by a saved card, or begins to at `url`; the same again, while that lasts, is the same payment',
    body: Subscribing,
    returns: Payment,
    auditOptional: true,
  }),
  quote: get('/enterprise/subscriptions/:id/change', {
    needs: 'payments.view',
    summary: 'What a change of plan costs, and when it is in force; null where it cannot be done now',
    query: z.strictObject({ planId: Id, billing: BillingCadence }),
    returns: z.object({ quote: ChangeQuote.nullable() }),
  }),
  change: post('/enterprise/subscriptions/:id/change', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    limit: 'money',
    summary:
      'Changes the plan as quoted: a larger one is paid now, any other with the next period; the present plan takes that back',
    body: PlanChange,
    returns: z.object({ subscription: Subscription, payment: Payment.nullable() }),
    auditOptional: true,
  }),
  cancel: del('/enterprise/subscription/cancel/:id', {
    needs: 'payments.addOrEdit',
    summary: 'Ends a subscription with its period, or now where its next period is not paid',
    returns: Subscription,
    auditOptional: true,
  }),
  resume: post('/enterprise/subscriptions/:id/resume', {
    needs: 'payments.addOrEdit',
    summary: 'Takes back that a subscription ends with its period',
    returns: Subscription,
    auditOptional: true,
  }),
  payRenewal: post('/enterprise/subscriptions/:id/pay', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    limit: 'money',
    summary:
      'Pays for the next period of a subscription by a saved card, or begins to at `url`; the same again is the same payment',
    body: RenewalPayment,
    returns: Payment,
    auditOptional: true,
  }),
  devices: get('/enterprise/fetchActiveSubscribedDevices', {
    needs: 'payments.view',
    summary: 'The devices on licences that run, by name, paged',
    query: Paging.omit({ search: true }),
    returns: pageOf(SubscribedDevice),
  }),
  searchDevices: get('/enterprise/fetchActiveSubscribedDevices/search', {
    needs: 'payments.view',
    summary: 'The same, those whose name, tag or IMEI contains a text',
    query: Paging,
    returns: pageOf(SubscribedDevice),
  }),
  unlicensed: get('/enterprise/devicesWithoutLicence', {
    needs: 'payments.view',
    summary: 'The devices in use that no licence covers, or a trial only, by name, paged',
    query: Paging.omit({ search: true }),
    returns: pageOf(UnlicensedDevice),
  }),
  placeDevice: post('/enterprise/subscriptions/:id/devices/:deviceId', {
    needs: 'payments.addOrEdit',
    summary: 'Gives a free place of a plan to a device that no licence covers, or a trial only',
    returns: DevicePlace,
  }),
  cancelDevice: del('/enterprise/cancelDeviceSubscription/:id', {
    needs: 'payments.addOrEdit',
    summary:
      'Gives the place of a device up at the end of the period; that of the only device of a plan for one ends the plan, too',
    returns: DevicePlace,
    auditOptional: true,
  }),
  keepDevice: post('/enterprise/keepDeviceSubscription/:id', {
    needs: 'payments.addOrEdit',
    summary: 'Takes back that the place of a device is given up',
    returns: DevicePlace,
    auditOptional: true,
  }),
  licence: post('/enterprise/fetchLicense', {
    needs: 'payments.view',
    summary: 'One licence, with the devices that have its places, as far as the caller may see them',
    body: z.strictObject({ licenceId: Id }),
    returns: Licence.extend({ devicesOf: z.array(DeviceName) }),
    readOnly: true,
  }),
}
