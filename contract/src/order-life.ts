import { z } from 'zod'
import { get, patch, put } from './call.ts'
import { GivenInstant, Id, Instant, paragraph, text } from './common.ts'
import { DeviceRole, OrderDetails, OrderEvent, Outcome, orderLimits } from './orders.ts'
import { Paging } from './paging.ts'
import { LatLon } from './places.ts'

/** A reason not to start an order with, though it hinders nobody. */
export const fitWarnings = ['noDevices', 'licence', 'overdue', 'silent', 'battery', 'noLimits', 'notPreCooled'] as const
export const FitWarning = z.enum(fitWarnings)
export type FitWarning = z.infer<typeof FitWarning>

export const OrderFitness = z.object({
  /** `red`: it cannot be started; `amber`: it can, and what speaks against it is kept. */
  level: z.enum(['green', 'amber', 'red']),
  /** Why it cannot be started, as a refusal would say it. */
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
  warnings: z.array(
    z.object({
      code: FitWarning,
      /** Null: of no device, or of one that the reader may not see. */
      device: z.object({ id: Id, name: z.string() }).nullable(),
      /** Percent, degrees or a day. */
      value: z.string().nullable(),
    }),
  ),
  asOf: Instant,
})
export type OrderFitness = z.infer<typeof OrderFitness>

const reason = paragraph(500)
/** The instant at which it happened, where that is not now; and a number made by a phone, so that a thing sent twice is done once. */
const act = {
  at: GivenInstant.optional(),
  requestId: z.uuid().optional(),
  position: z.strictObject(LatLon.shape).optional(),
}
export const StartOrder = z.strictObject(act)
export type StartOrder = z.infer<typeof StartOrder>

/** How many of an item were taken, and why not all. */
const ItemOutcomes = z
  .array(
    z.strictObject({
      id: Id,
      deliveredQuantity: z.number().int().min(0).max(1_000_000),
      refusedReason: text(300).nullable().default(null),
    }),
  )
  .max(orderLimits.items)

const Rest = z.strictObject({ outcome: Outcome, reason: reason.optional() })
export const EndOrder = z.strictObject({
  ...act,
  /** The outcome of single stops that are still open. */
  outcomes: z
    .array(Rest.extend({ receiverId: Id, items: ItemOutcomes.optional() }))
    .max(orderLimits.receivers)
    .optional(),
  /** The outcome of all other stops that are still open. */
  rest: Rest.optional(),
})
export type EndOrder = z.infer<typeof EndOrder>

export const CancelOrder = z.strictObject({
  ...act,
  /** Needed under way. */
  reason: reason.optional(),
  /** Where the goods go that are under way. */
  returnTo: text(300).optional(),
})
export type CancelOrder = z.infer<typeof CancelOrder>

export const SnoozeReceiver = z.strictObject({
  ...act,
  /** Null: no more. */
  until: GivenInstant.nullable(),
  reason: reason.optional(),
})
export type SnoozeReceiver = z.infer<typeof SnoozeReceiver>

export const SettleReceiver = z.strictObject({
  ...act,
  outcome: Outcome,
  reason: reason.optional(),
  items: ItemOutcomes.optional(),
})
export type SettleReceiver = z.infer<typeof SettleReceiver>

/** A field that is left out stays. */
export const OrderCrew = z.strictObject({
  /** As it was read: another one by now is refused. */
  version: z.number().int(),
  driverId: Id.nullable().optional(),
  vehicleId: Id.nullable().optional(),
  reason: reason.optional(),
  devices: z
    .array(z.strictObject({ id: Id, role: DeviceRole.default('cargo'), receiverId: Id.nullable().default(null) }))
    .max(orderLimits.devices)
    .optional(),
})
export type OrderCrew = z.infer<typeof OrderCrew>

/** Drivers, vehicles or devices that an order may get. */
export const CrewChoiceQuery = z.strictObject({
  kind: z.enum(['driver', 'vehicle', 'device']),
  search: Paging.shape.search,
})
export type CrewChoiceQuery = z.infer<typeof CrewChoiceQuery>

export const CrewChoice = z.object({
  id: Id,
  name: z.string(),
  plate: z.string().nullable(),
  batteryPct: z.number().nullable(),
  /** Null: free. A driver is taken by a vehicle, a vehicle by a driver, a device by an order. */
  taken: z
    .object({
      why: z.enum(['inactive', 'outOfService', 'vehicle', 'driver', 'order']),
      /** Those who have it; null where nobody does. */
      name: z.string().nullable(),
      trackingCode: z.string().nullable(),
      /** The driver or the vehicle with which it is free all the same. */
      freeWith: Id.nullable(),
    })
    .nullable(),
})
export type CrewChoice = z.infer<typeof CrewChoice>

const view = { needs: 'dispatch.view' } as const
const edit = { needs: 'dispatch.addOrEdit' } as const
/** An act of one order: answered with the order as it is then. A phone that says the same again changes nothing. */
const ofOrder = { ...edit, auditOptional: true, returns: OrderDetails } as const

export const orderLife = {
  start: patch('/dispatch/orders/:id/:trackingCode/start', {
    ...ofOrder,
    summary: 'Starts an order by its tracking code, and with it the record of its devices',
    body: StartOrder,
  }),
  end: patch('/dispatch/orders/:id/:trackingCode/end', {
    ...ofOrder,
    summary: 'Ends an order by its tracking code, where every receiver is settled or gets an outcome here',
    body: EndOrder,
  }),
  cancel: patch('/dispatch/orders/:id/cancel', {
    ...ofOrder,
    summary: 'Cancels an order that is new or in progress; under way with a reason',
    body: CancelOrder,
  }),
  snooze: patch('/dispatch/orders/:id/receivers/:receiverId/snooze', {
    ...ofOrder,
    summary: 'Puts a stop off until an instant, or no more',
    body: SnoozeReceiver,
  }),
  arrive: patch('/dispatch/orders/:id/receivers/:receiverId/arrive', {
    ...ofOrder,
    summary: 'Says that a stop was reached',
    body: StartOrder,
  }),
  depart: patch('/dispatch/orders/:id/receivers/:receiverId/depart', {
    ...ofOrder,
    summary: 'Says that a stop was left',
    body: StartOrder,
  }),
  settle: patch('/dispatch/orders/:id/receivers/:receiverId/settle', {
    ...ofOrder,
    summary: 'Says what became of the goods of a receiver',
    body: SettleReceiver,
  }),
  crew: patch('/dispatch/orders/:id/crew', {
    ...ofOrder,
    summary: 'Changes driver, vehicle or devices of an order that is new or in progress',
    body: OrderCrew,
  }),
  crewChoices: get('/dispatch/orders/:id/crew-choices', {
    ...edit,
    summary: 'At most fifty drivers, vehicles or devices for an order, free ones first, and who has the others',
    query: CrewChoiceQuery,
    returns: z.array(CrewChoice),
  }),
  startOlder: put('/dispatch/start/:id', {
    ...ofOrder,
    deprecated: true,
    hasStatus: true,
    summary: 'Starts an order by its tracking code',
    body: StartOrder.extend({ trackingCode: text(40) }),
  }),
  endOlder: put('/dispatch/completion/:id', {
    ...ofOrder,
    deprecated: true,
    hasStatus: true,
    summary: 'Ends an order by its tracking code',
    body: EndOrder.extend({ trackingCode: text(40) }),
  }),
  events: get('/dispatch/orders/:id/events', {
    ...view,
    summary: 'What happened to an order, by when it happened, and when it was heard of',
    returns: z.array(OrderEvent),
  }),
  fit: get('/dispatch/orders/:id/fit', {
    ...view,
    summary: 'Whether a new order is fit to start: who and what it needs, cold, alive and charged for the way',
    returns: OrderFitness,
  }),
}
