import { apiBase } from '@isotherm/contract/call.ts'
import type { EventName } from '@isotherm/contract/webhook-events.ts'

/** An event that has its number. */
export interface NumberedEvent {
  message_id: string
  type: string
  data: unknown
  sequence: string
  at: Date
}

type Data = Record<string, unknown>

const pathOfReport: Record<string, (id: string) => string> = {
  device: (id) => `/device-reports/${id}`,
  group: (id) => `/group-reports/${id}`,
  claim: (id) => `/dispatch/claims/${id}/file`,
  coldTreatment: (id) => `/export/monitoring-records/${id}/file`,
  shipment: (id) => `/export/shipment-reports/${id}`,
  scheduled: (id) => `/report/${id}`,
}

/** The call that has the rest of an event, below /app/api/v1. */
export function pathOf(type: EventName, data: Data): string {
  const id = (field: string) => String(data[field])
  if (type.startsWith('alarm.')) return `/alarm-triggers/${id('triggerId')}`
  if (type.startsWith('excursion.')) return `/excursions?device=${id('deviceId')}`
  if (type.startsWith('device.')) return `/devices/${id('deviceId')}`
  if (type.startsWith('order.')) return `/dispatch/orders/${id('orderId')}`
  if (type.startsWith('wallet.')) return '/wallet'
  if (type.startsWith('subscription.')) return '/enterprise/subscriptions'
  if (type.startsWith('invoice.')) return `/enterprise/billings/${id('invoiceId')}/pdf`
  if (type === 'record.ended') return `/enterprise/record/${id('recordId')}`
  if (type === 'report.ready') return pathOfReport[id('kind')]?.(id('reportId')) ?? '/device-reports'
  if (type === 'shipment.updated') return `/export/shipments/${id('shipmentId')}`
  return '/developer/webhooks'
}

/** The header `webhook-id`: it has no dot, which stands between the parts of what is signed. */
export const messageIdOf = ({ message_id }: Pick<NumberedEvent, 'message_id'>) =>
  `msg_${message_id.replaceAll('-', '')}`

/** An event as it is told, by message and by feed. */
export function payloadOf({ type, data, sequence, at }: Omit<NumberedEvent, 'message_id'>, publicUrl: string) {
  const facts = data as Data
  const href = `${publicUrl}${apiBase}${pathOf(type as EventName, facts)}`
  return { type, timestamp: at.toISOString(), data: { ...facts, sequence: Number(sequence), href } }
}

export const bodyOf = (event: NumberedEvent, publicUrl: string): string => JSON.stringify(payloadOf(event, publicUrl))

/** The headers of an attempt. */
export const headersOf = (id: string, stamp: number, signature: string): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Isotherm-Webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': String(stamp),
  'webhook-signature': signature,
})
