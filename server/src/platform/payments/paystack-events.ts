import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { ProviderEvent } from './provider.ts'

const id = z.union([z.number(), z.string().min(1)])
// `subscription.expiring_cards` has a list as its data.
const Event = z.object({
  event: z.string().min(1),
  data: z
    .object({
      id: id.optional().catch(undefined),
      reference: z.string().optional().catch(undefined),
      transaction_reference: z.string().optional().catch(undefined),
      transaction: z.object({ reference: z.string().optional() }).optional().catch(undefined),
    })
    .catch({}),
})

/** Whether the header is the HMAC of the body as it came, in hex, by our secret key. */
function isSigned(raw: Buffer, header: unknown, secretKey: string): boolean {
  if (typeof header !== 'string' || !/^[0-9a-f]{128}$/.test(header)) return false
  return timingSafeEqual(createHmac('sha512', secretKey).update(raw).digest(), Buffer.from(header, 'hex'))
}

/** Paystack's event by its raw body and `x-paystack-signature`; null: it is forged, or was cut short. */
export function readPaystackEvent(raw: Buffer, header: unknown, secretKey: string): ProviderEvent | null {
  if (!isSigned(raw, header, secretKey)) return null
  const { event: name, data } = Event.parse(JSON.parse(raw.toString('utf8')))
  // Events have no id: their object's is one, with the name, because a refund keeps its id from pending to processed.
  const object = data.id ?? createHash('sha256').update(raw).digest('hex')
  return {
    key: `${name}:${object}`,
    name,
    about: aboutOf(name),
    reference: data.transaction_reference ?? data.transaction?.reference ?? data.reference ?? null,
    providerRef: data.id === undefined ? null : String(data.id),
    paymentRef: null,
  }
}

function aboutOf(name: string): ProviderEvent['about'] {
  if (name.startsWith('charge.dispute.')) return 'dispute'
  if (name.startsWith('refund.')) return 'refund'
  return name === 'charge.success' ? 'payment' : 'other'
}
