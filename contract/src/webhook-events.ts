import { z } from 'zod'
import { ConditionName, Severity } from './alarm-rules.ts'
import { Id, Instant } from './common.ts'
import type { Permission } from './permissions.ts'

/*
 * An event is told to a company's endpoints, and by its feed: names, ids, the values that somebody needs to act, and a link to the call
 * that has the rest. Fields are added without notice; none is renamed, removed, or given another meaning.
 */

/** Fields of every event's data. */
const common = {
  /**
   * The number of the event in its company. Of two events of the same thing the one with the higher number is the later one: drop what is older than
   * what you have, since messages may arrive in another order.
   */
  sequence: z.number().int(),
  /** The call that has the rest, with an API key or a login. */
  href: z.url(),
}
const device = { deviceId: Id, deviceName: z.string() }
const data = <S extends z.ZodRawShape>(shape: S) => z.object({ ...shape, ...common })

/** One firing of an alarm at one device. Values in degrees Celsius, percent, or minutes, by condition. */
export const AlarmEventData = data({
  triggerId: Id,
  alarmId: Id,
  alarmName: z.string(),
  ...device,
  condition: ConditionName,
  severity: Severity,
  limit: z.number().nullable(),
  value: z.number().nullable(),
  peak: z.number().nullable(),
  /** The first reading outside, by the device's clock. */
  breachAt: Instant,
  openedAt: Instant.nullable(),
  normalAt: Instant.nullable(),
  acknowledgedAt: Instant.nullable(),
  acknowledgedBy: z.string().nullable(),
  resolvedAt: Instant.nullable(),
  resolvedBy: z.string().nullable(),
  note: z.string().nullable(),
  /** Its readings came late. */
  isLate: z.boolean(),
})

/** A stretch of a device outside its limits. Late readings may still move it: ask the call for how it is now. */
export const ExcursionEventData = data({
  excursionId: Id,
  ...device,
  measure: z.enum(['temperature', 'humidity']),
  side: z.enum(['above', 'below']),
  startAt: Instant,
  endAt: Instant.nullable(),
  /** Degrees Celsius, or percent. */
  peak: z.number(),
  isLate: z.boolean(),
})

export const DeviceClaimedData = data({ ...device, imei: z.string(), probe: z.number().int() })
/** A device that is offline has sent nothing for three of its intervals; it is online when it sends again. */
export const DeviceStateData = data({ ...device, lastReadingAt: Instant.nullable() })
export const DeviceExpiredData = data({ ...device, licenceUntil: Instant })
export const CommandAcknowledgedData = data({
  ...device,
  commandId: Id,
  command: z.string(),
  isCarriedOut: z.boolean(),
})

export const RecordEndedData = data({
  recordId: Id,
  name: z.string(),
  startAt: Instant,
  endAt: Instant,
  endedBy: z.enum(['hand', 'time', 'destination']),
})

/** A file that is ready. `kind`: of a device, group, shipment or order, of a cold treatment, or one that a schedule asked for. */
export const ReportReadyData = data({
  reportId: Id,
  kind: z.enum(['device', 'group', 'claim', 'coldTreatment', 'shipment', 'scheduled']),
  format: z.string().nullable(),
})

export const OrderEventData = data({
  orderId: Id,
  code: z.string(),
  state: z.string(),
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  cancelledAt: Instant.nullable(),
  /** Outcomes of an order that ended: at each stop, with the items of which not all were taken, or nobody says how many. */
  stops: z
    .array(
      z.object({
        receiverId: Id,
        receiver: z.string(),
        outcome: z.string(),
        reason: z.string().nullable(),
        incomplete: z.array(
          z.object({
            name: z.string(),
            quantity: z.number().int(),
            delivered: z.number().int().nullable(),
            reason: z.string().nullable(),
          }),
        ),
      }),
    )
    .optional(),
})

/** A stop of an order: when it is due, and when it is expected. */
export const OrderLateData = data({
  orderId: Id,
  code: z.string(),
  receiverId: Id,
  receiver: z.string(),
  due: Instant,
  expected: Instant,
})
/** A device with the goods of an order, and since when it is out of range. */
export const OrderOutOfRangeData = data({
  ...device,
  orderId: Id,
  code: z.string(),
  measure: z.enum(['temperature', 'humidity']),
  side: z.enum(['above', 'below']),
  since: Instant,
})

/** `event`: what happened to it, a milestone or an act. */
export const ShipmentUpdatedData = data({
  shipmentId: Id,
  number: z.string(),
  state: z.string(),
  event: z.string(),
  occurredAt: Instant,
})

/** `units`: those that are left; below zero on overdraft. */
export const WalletEventData = data({ wallet: z.enum(['sms', 'chat']), units: z.number().int() })
export const WalletToppedUpData = data({
  wallet: z.enum(['sms', 'chat']),
  units: z.number().int(),
  added: z.number().int(),
})

export const SubscriptionEventData = data({
  subscriptionId: Id,
  state: z.string(),
  periodStart: Instant,
  periodEnd: Instant,
})
/** `amount` in the smallest unit of the currency. */
export const InvoiceEventData = data({
  invoiceId: Id,
  number: z.string(),
  amount: z.number().int(),
  currency: z.string(),
})
export const WebhookTestData = data({ endpointId: Id, text: z.string() })

const event = <D extends z.ZodType>(needs: Permission | null, summary: string, of: D) => ({ needs, summary, data: of })

/** The events there are: their data, and the permission without which nobody reads them in the feed. */
export const events = {
  'alarm.opened': event('alarms.view', 'An alarm fired, or fired again because it got worse', AlarmEventData),
  'alarm.acknowledged': event('alarms.view', 'Somebody acknowledged an alarm', AlarmEventData),
  'alarm.normal': event('alarms.view', 'The values of an alarm are back to normal', AlarmEventData),
  'alarm.resolved': event('alarms.view', 'Somebody resolved an alarm, or the alarm was deleted', AlarmEventData),
  'alarm.withdrawn': event('alarms.view', 'Late readings showed that an alarm had no reason', AlarmEventData),
  'excursion.started': event('devices.view', 'A device left its limits', ExcursionEventData),
  'excursion.ended': event('devices.view', 'A device is back inside its limits', ExcursionEventData),
  'device.claimed': event('devices.view', 'A device got its hardware', DeviceClaimedData),
  'device.offline': event('devices.view', 'A device has sent nothing for three intervals', DeviceStateData),
  'device.online': event('devices.view', 'A device that was offline sends again', DeviceStateData),
  'device.expired': event('devices.view', 'The licence of a device is over', DeviceExpiredData),
  'device.command_acknowledged': event('devices.view', 'A device answered a command', CommandAcknowledgedData),
  'record.ended': event('devices.view', 'A record ended', RecordEndedData),
  'report.ready': event('reports.view', 'A report can be downloaded', ReportReadyData),
  'order.started': event('dispatch.view', 'An order is on its way', OrderEventData),
  'order.ended': event('dispatch.view', 'An order is over', OrderEventData),
  'order.cancelled': event('dispatch.view', 'An order was cancelled', OrderEventData),
  'order.late': event('dispatch.view', 'A stop of an order under way will be late', OrderLateData),
  'order.out_of_range': event('dispatch.view', 'Goods of an order under way are out of range', OrderOutOfRangeData),
  'shipment.updated': event('dispatch.view', 'Something happened to a shipment', ShipmentUpdatedData),
  'wallet.low': event('payments.view', 'Few units are left in a wallet', WalletEventData),
  'wallet.empty': event('payments.view', 'A wallet has no units left', WalletEventData),
  'wallet.topped_up': event('payments.view', 'Units were added to a wallet', WalletToppedUpData),
  'subscription.renewed': event('payments.view', 'A period of a subscription was paid', SubscriptionEventData),
  'subscription.past_due': event(
    'payments.view',
    'The next period was not paid when it was due',
    SubscriptionEventData,
  ),
  'subscription.expired': event('payments.view', 'A subscription ended because it was not paid', SubscriptionEventData),
  'invoice.issued': event('payments.view', 'An invoice was issued', InvoiceEventData),
  'invoice.paid': event('payments.view', 'An invoice was paid', InvoiceEventData),
  'webhook.test': event(null, 'Somebody asked for a test of an endpoint', WebhookTestData),
} as const

export type EventName = keyof typeof events
export const eventNames = Object.keys(events) as [EventName, ...EventName[]]
/** Those that an endpoint or a reader of the feed may ask for: a test goes to its endpoint whatever that asked for. */
export const chosenEvents = eventNames.filter((name) => name !== 'webhook.test') as [EventName, ...EventName[]]
