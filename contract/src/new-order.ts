import { z } from 'zod'
import { Country, countWords, Email, Id, Instant, Locale, paragraph, TimeZone, text } from './common.ts'
import { limits } from './limits.ts'
import { DeviceRole, orderLimits, PriceSummary, Rule } from './orders.ts'
import { LatLon } from './places.ts'
import { Budget } from './record-budget.ts'

const note = paragraph(4_000).refine((written) => countWords(written) <= limits.descriptionWords, {
  message: 'tooManyWords',
  params: { limit: limits.descriptionWords },
})
/** Minor units; so that the sum of the largest order still is an exact number. */
export const Amount = z.number().int().min(0).max(1_000_000_000_000)
/** A time at a stop: an instant, or the time that clocks show there, "2026-11-20T14:00". */
const StopTime = z.iso
  .datetime({ offset: true, local: true })
  .refine((text) => !/^(?:0\d{3}|999\d)-/.test(text), 'instantRange')

export const GivenStop = z.strictObject({
  address: text(300),
  ...LatLon.shape,
  radiusM: z.number().int().min(20).max(50_000).default(orderLimits.radiusM),
  /** Left out: the zone of the place. */
  timezone: TimeZone.optional(),
  country: Country.optional(),
})
const GivenParty = {
  /** The contact that it was taken from; it is copied all the same. */
  contactId: Id.nullable().default(null),
  name: text(120),
  company: text(160).nullable().default(null),
  email: Email.nullable().default(null),
  /** As typed; kept as E.164. */
  phone: text(40).nullable().default(null),
}
export const NewItem = z.strictObject({
  name: text(160),
  quantity: z.number().int().min(1).max(1_000_000),
  unitCount: z.number().int().min(1).max(1_000_000).default(1),
  /** The weight of all of it; so is the worth. */
  weightG: z.number().int().min(1).max(1_000_000_000).nullable().default(null),
  worth: Amount.nullable().default(null),
  note: note.nullable().default(null),
})
export const NewReceiver = z.strictObject({
  ...GivenParty,
  stop: GivenStop,
  locale: Locale.nullable().default(null),
  windowFrom: StopTime.nullable().default(null),
  windowBy: StopTime.nullable().default(null),
  /** A receiver must be assigned at least one item. */
  items: z.array(NewItem).min(1, 'itemNeeded').max(orderLimits.items),
})
export const NewOrder = z.strictObject({
  reference: text(80).nullable().default(null),
  sender: z.strictObject(GivenParty),
  pickup: GivenStop,
  pickupAt: StopTime.nullable().default(null),
  /** A time at the last stop, or a day: then the end of that day there. */
  deliverBy: z.union([StopTime, z.iso.date()]),
  receivers: z.array(NewReceiver).min(1).max(orderLimits.receivers),
  driverId: Id.nullable().default(null),
  vehicleId: Id.nullable().default(null),
  devices: z
    .array(
      z.strictObject({
        id: Id,
        role: DeviceRole.default('cargo'),
        /** The place in `receivers` of whom the box is for, from 0. */
        receiver: z.number().int().min(0).nullable().default(null),
      }),
    )
    .max(orderLimits.devices)
    .default([]),
  showsPrivate: z.boolean().default(false),
  startRule: Rule.default('hand'),
  endRule: Rule.default('hand'),
  lot: text(60).nullable().default(null),
  budget: Budget.nullable().default(null),
  /** The currency that the amounts are meant in: one that the order does not get is refused. Null, or left out: nobody says. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable()
    .optional(),
  /** Minor units; null: by the rate card of the company. */
  deliveryFee: Amount.nullable().default(null),
  otherLines: z
    .array(z.strictObject({ label: text(80), amount: Amount }))
    .max(20)
    .default([]),
  /** The plan to insure the goods' worth by. */
  insurancePlanId: Id.nullable().default(null),
  note: note.nullable().default(null),
})
export type NewOrder = z.infer<typeof NewOrder>

/** An order that is checked; `orderId`: the one that is to become it, whose insurance stays where no plan is given. */
export const OrderCheck = NewOrder.extend({ orderId: Id.optional() })
export type OrderCheck = z.infer<typeof OrderCheck>

export type NewReceiver = z.infer<typeof NewReceiver>
export type NewItem = z.infer<typeof NewItem>
export type GivenStop = z.infer<typeof GivenStop>

/** A receiver that is there already is named by its id; one that is left out goes. */
export const ChangedReceiver = NewReceiver.extend({ id: Id.optional() })
/** A new order as it is to be from now on; `version` is the one that was looked at. Devices that the person does not see stay. */
export const OrderChange = NewOrder.extend({
  receivers: z.array(ChangedReceiver).min(1).max(orderLimits.receivers),
  version: z.number().int().min(1),
})
export type OrderChange = z.infer<typeof OrderChange>

export const orderWarnings = [
  'insuranceSoon',
  'insuranceMismatch',
  'batteryLow',
  'deviceSilent',
  'deviceBusy',
  'noLimits',
  'noTracker',
  'licenceExpires',
  'sameAddress',
  'heavyForMotorcycle',
  'zoneAssumed',
] as const
export const OrderWarning = z.object({
  code: z.enum(orderWarnings),
  /** The facts of its sentence: names, figures, instants. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type OrderWarning = z.infer<typeof OrderWarning>

/** An order as it would be made. */
export const CheckedOrder = z.object({
  warnings: z.array(OrderWarning),
  price: PriceSummary.nullable(),
  deliverBy: Instant,
  /** Zones and countries as they were derived. */
  pickup: z.object({ timezone: z.string(), country: z.string().nullable() }),
  receivers: z.array(z.object({ timezone: z.string(), country: z.string().nullable() })),
  /** Great circles from stop to stop. */
  distanceM: z.number().int(),
  /** Minor units, of all items. */
  worth: z.number().int(),
  weightG: z.number().int(),
  currency: z.string().nullable(),
})
export type CheckedOrder = z.infer<typeof CheckedOrder>
