import { z } from 'zod'
import { Id, Instant, Locale } from './common.ts'
import { LatLon } from './places.ts'
import { Budget } from './record-budget.ts'
import { Verdict } from './stats.ts'

/** Figures of orders that browser and server agree on. */
export const orderLimits = {
  receivers: 200,
  items: 2_000,
  devices: 50,
  /** The longest that a receiver may be snoozed. */
  snoozeDays: 14,
  /** Earlier than this before its planned day, an order is not started: it is the wrong one. */
  earliestStartDays: 7,
  /** The radius of a pick-up or a drop-off, m. */
  radiusM: 150,
  /** Minutes that a phone's clock may be ahead of the server's. */
  aheadMinutes: 5,
} as const

export const orderStates = ['new', 'inProgress', 'completed', 'cancelled'] as const
export const OrderState = z.enum(orderStates)
export type OrderState = z.infer<typeof OrderState>
/** A filter of lists. `snoozed`: in progress, and every receiver who is still to be served is snoozed. */
export const OrderFilter = z.enum([...orderStates, 'snoozed'])
export type OrderFilter = z.infer<typeof OrderFilter>

/**
 * Why somebody should look at an order that is new or in progress: it is late, a device measures outside its limits, its insurance has no
 * certificate yet, its driver is inactive or deleted, or its vehicle is out of service or deleted.
 */
export const orderAttentions = [
  'late',
  'outOfRange',
  'insurancePending',
  'driverInactive',
  'vehicleUnavailable',
] as const
export type OrderAttention = (typeof orderAttentions)[number]

export const receiverStates = [
  'waiting',
  'arrived',
  'delivered',
  'partlyDelivered',
  'refused',
  'failed',
  'cancelled',
] as const
export const ReceiverState = z.enum(receiverStates)
export type ReceiverState = z.infer<typeof ReceiverState>
/** States of a receiver for whom there is nothing left to do. */
export const settledStates = ['delivered', 'partlyDelivered', 'refused', 'failed', 'cancelled'] as const

/** The outcome of a stop. */
export const Outcome = z.enum(['delivered', 'partlyDelivered', 'refused', 'failed'])
export type Outcome = z.infer<typeof Outcome>

/** The rule that begins or ends an order: by a person, the devices at a place, either, or both. */
export const Rule = z.enum(['hand', 'fence', 'or', 'and'])
export type Rule = z.infer<typeof Rule>

export const DeviceRole = z.enum(['cargo', 'vehicle'])
export type DeviceRole = z.infer<typeof DeviceRole>

/** Nine characters of Crockford's base32, the last one a check; written ABCD-EFGH-K. */
export const TrackingCode = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{9}$/)

/** A person or firm as an order keeps it. */
export const Party = z.object({
  contactId: Id.nullable(),
  name: z.string(),
  company: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string(),
})
export type Party = z.infer<typeof Party>

/** Where goods are picked up or handed over. */
export const Stop = z.object({
  address: z.string(),
  lat: z.number(),
  lon: z.number(),
  radiusM: z.number().int(),
  timezone: z.string(),
  country: z.string().nullable(),
})
export type Stop = z.infer<typeof Stop>

/** An arrival that is expected between `from` and `to` (P20 to P80), best guess `at`. */
export const Eta = z.object({
  at: Instant,
  from: Instant,
  to: Instant,
  /** `history`: learned from finished legs, of which there were `legs`; `default`: from a usual speed. */
  basis: z.enum(['history', 'default']),
  legs: z.number().int(),
  asOf: Instant,
  /** Age of the position it rests on, s; null: it has not left. */
  positionAgeS: z.number().int().nullable(),
  /** The position is older than three intervals: the estimate stands still. */
  isFrozen: z.boolean(),
})
export type Eta = z.infer<typeof Eta>

export const OrderItem = z.object({
  id: Id,
  name: z.string(),
  quantity: z.number().int(),
  /** The number of items in each. */
  unitCount: z.number().int(),
  weightG: z.number().int().nullable(),
  /** Minor units, of all of it. */
  worth: z.number().int().nullable(),
  note: z.string().nullable(),
  /** Null: not handed over yet. */
  deliveredQuantity: z.number().int().nullable(),
  refusedReason: z.string().nullable(),
})
export type OrderItem = z.infer<typeof OrderItem>

export const eventSources = ['person', 'driverLink', 'receiverLink', 'geofence', 'device', 'insurer', 'job'] as const
const EventSource = z.enum(eventSources)

export const OrderReceiver = z.object({
  id: Id,
  sequence: z.number().int(),
  party: Party,
  stop: Stop,
  locale: Locale.nullable(),
  windowFrom: Instant.nullable(),
  windowBy: Instant.nullable(),
  state: ReceiverState,
  /** Null: not snoozed. */
  snoozedUntil: Instant.nullable(),
  snoozeReason: z.string().nullable(),
  eta: Eta.nullable(),
  isLate: z.boolean(),
  arrivedAt: Instant.nullable(),
  departedAt: Instant.nullable(),
  settledAt: Instant.nullable(),
  /** `geofence`: the devices had reached the stop and left it as they ended the order; nobody signed. Null before, and of older stops. */
  settledBy: EventSource.nullable(),
  outcomeReason: z.string().nullable(),
  items: z.array(OrderItem),
})
export type OrderReceiver = z.infer<typeof OrderReceiver>

export const PriceLine = z.object({
  kind: z.enum(['delivery', 'insurance', 'other']),
  label: z.string().nullable(),
  amount: z.number().int(),
  isTaxed: z.boolean(),
  /** The rate card made it: an order that is changed, or made again, is priced by the card anew. */
  isByCard: z.boolean().optional(),
})
/** Minor units of `currency`. The taxes are estimated. */
export const PriceSummary = z.object({
  currency: z.string(),
  lines: z.array(PriceLine),
  net: z.number().int(),
  taxes: z.array(z.object({ name: z.string(), basisPoints: z.number().int(), amount: z.number().int() })),
  /** Why there is no tax: the goods cross a border, the country has none, or its rate is not known here. */
  taxNote: z.enum(['crossBorder', 'none', 'notEstimated']).nullable(),
  /** The country whose rates were taken, and since when they are in force. */
  taxCountry: z.string().nullable(),
  taxSince: z.string().nullable(),
  /** Whether somebody has compared the rate, or that there is none, with an official source. */
  isTaxVerified: z.boolean().default(false),
  total: z.number().int(),
})
export type PriceSummary = z.infer<typeof PriceSummary>

export const insuranceStates = ['requested', 'certified', 'declined', 'void'] as const
export const OrderInsurance = z.object({
  id: Id,
  planName: z.string(),
  insurer: z.string(),
  worth: z.number().int(),
  premium: z.number().int(),
  currency: z.string(),
  state: z.enum(insuranceStates),
  policyNumber: z.string().nullable(),
  validFrom: Instant.nullable(),
  validTo: Instant.nullable(),
  hasCertificate: z.boolean(),
  /** Whether its insurer is asked; else somebody uploads the certificate. */
  isAsked: z.boolean(),
  /** Why it was declined, or cancelled. */
  reason: z.string().nullable(),
  requestedAt: Instant,
})
export type OrderInsurance = z.infer<typeof OrderInsurance>

/** An order as lists show it. */
export const Order = z.object({
  id: Id,
  trackingCode: z.string(),
  reference: z.string().nullable(),
  state: OrderState,
  isSnoozed: z.boolean(),
  /** An estimate is behind a window, or behind the delivery date. */
  isLate: z.boolean(),
  senderName: z.string(),
  pickupAddress: z.string(),
  receivers: z.object({ total: z.number().int(), settled: z.number().int(), first: z.string(), last: z.string() }),
  deliverBy: Instant,
  /** IANA zone of the last stop: `deliverBy` is shown in it. */
  timezone: z.string(),
  driver: z.object({ id: Id, name: z.string(), isActive: z.boolean() }).nullable(),
  vehicle: z.object({ id: Id, name: z.string(), plate: z.string() }).nullable(),
  /** Those that the reader may see, and the others. */
  deviceCount: z.number().int(),
  hiddenDevices: z.number().int(),
  /**
   * The worst of the devices that the reader may see, by their excursions and whole hours; null before the start, and without such devices. Its record
   * says it to the second.
   */
  verdict: Verdict.nullable(),
  insurance: z.enum(insuranceStates).nullable(),
  total: z.number().int().nullable(),
  /** All its amounts are in it: the company's as it was made. Null where there was none. */
  currency: z.string().nullable(),
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  cancelledAt: Instant.nullable(),
  createdAt: Instant,
  version: z.number().int(),
})
export type Order = z.infer<typeof Order>

export const OrderDevice = z.object({
  id: Id,
  name: z.string(),
  imei: z.string().nullable(),
  role: DeviceRole,
  receiverId: Id.nullable(),
})
export type OrderDevice = z.infer<typeof OrderDevice>

export const OrderDetails = Order.extend({
  sender: Party,
  pickup: Stop,
  pickupAt: Instant.nullable(),
  startRule: Rule,
  endRule: Rule,
  receiverList: z.array(OrderReceiver),
  devices: z.array(OrderDevice),
  showsPrivate: z.boolean(),
  /** The record that holds its conditions; null before the start, and of an order without devices. */
  recordId: Id.nullable(),
  lot: z.string().nullable(),
  budget: Budget.nullable(),
  price: PriceSummary.nullable(),
  insuranceDetails: OrderInsurance.nullable(),
  note: z.string().nullable(),
  cancelReason: z.string().nullable(),
  returnTo: z.string().nullable(),
  createdBy: z.string(),
})
export type OrderDetails = z.infer<typeof OrderDetails>

export const orderEventKinds = [
  'created',
  'changed',
  'started',
  'leftPickup',
  'arrived',
  'departed',
  'handedOver',
  'handOverVoid',
  'snoozed',
  'unsnoozed',
  'ended',
  'cancelled',
  'warned',
  'late',
  'onTime',
  'warningAcknowledged',
  'warningEscalated',
  'insuranceRequested',
  'insuranceCertified',
  'insuranceDeclined',
  'insuranceVoid',
  'linkMade',
  'linkRotated',
  'linkRevoked',
  'positionAgreed',
  'positionEnded',
  'doorOpened',
] as const
export const OrderEventKind = z.enum(orderEventKinds)
export type OrderEventKind = z.infer<typeof OrderEventKind>
export const OrderEvent = z.object({
  id: Id,
  kind: OrderEventKind,
  /** When it happened, in the zone of its place. */
  occurredAt: Instant,
  timezone: z.string(),
  /** When the server heard of it. */
  recordedAt: Instant,
  source: EventSource,
  by: z.string().nullable(),
  receiver: z.object({ id: Id, name: z.string() }).nullable(),
  position: LatLon.nullable(),
  /** Facts by name: codes of warnings, reasons, outcomes. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])),
})
export type OrderEvent = z.infer<typeof OrderEvent>
