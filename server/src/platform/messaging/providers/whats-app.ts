import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { WhatsAppAccount } from '../../config/messaging.ts'
import { ask, keyed, mayPass, type PhoneMessage, type Taken } from './ask.ts'
import type { DeliveryReceipt } from './delivery-receipt.ts'
import { isSame } from './twilio.ts'

const Accepted = z.object({ messages: z.array(z.object({ id: z.string() })).min(1) })
const Refused = z.object({ error: z.object({ code: z.number(), message: z.string().optional() }) })
// Unknown, service, calls and rate limits, token expired, payment, overloaded, limits of pairs and of quality, maintenance.
const passing = new Set([1, 2, 4, 190, 80007, 130429, 131000, 131016, 131042, 131048, 131056, 131057, 133004])

/**
 * Sends a chat message by the WhatsApp Cloud API. What a business begins must be a template its owner had approved: ours has
 * one text, which is the message.
 */
export async function sendByWhatsApp(
  { url, phoneId, token, template }: WhatsAppAccount,
  { to, text, locale, key }: PhoneMessage,
): Promise<Taken> {
  const { status, body } = await ask(
    `${url}/${phoneId}/messages`,
    { 'content-type': 'application/json', ...keyed(key), authorization: `Bearer ${token}` },
    JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: to.replace(/^\+/, ''),
      type: 'template',
      template: {
        name: template,
        language: { code: locale },
        // A template's text may hold no line breaks, tabs or runs of spaces.
        components: [{ type: 'body', parameters: [{ type: 'text', text: text.replace(/\s+/g, ' ').slice(0, 1000) }] }],
      },
      biz_opaque_callback_data: key.slice(0, 512),
    }),
  )
  const accepted = Accepted.safeParse(body)
  if (status < 300 && accepted.success)
    return { ok: true, provider: 'whatsapp', providerId: accepted.data.messages[0]?.id ?? null }
  const refused = Refused.safeParse(body)
  const code = refused.success ? refused.data.error.code : null
  if (mayPass(status) || status < 300 || (code !== null && passing.has(code)))
    throw new Error(`WhatsApp answered ${status} ${code ?? ''}`)
  return { ok: false, reason: `WhatsApp ${code ?? status}: ${(refused.success && refused.data.error.message) || ''}` }
}

/** Whether a callback is Meta's: the HMAC-SHA256 of its body by the app's secret. */
export const isOfMeta = (appSecret: string, body: Buffer, signature: string): boolean =>
  isSame(
    createHmac('sha256', appSecret).update(body).digest(),
    Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(signature)?.[1] ?? '', 'hex'),
  )

const Status = z.object({
  id: z.string(),
  status: z.string(),
  errors: z.array(z.object({ code: z.number(), title: z.string().optional() })).optional(),
})
const Callback = z.object({
  entry: z.array(
    z.object({ changes: z.array(z.object({ value: z.object({ statuses: z.array(z.unknown()).optional() }) })) }),
  ),
})
const ends: Record<string, DeliveryReceipt['state']> = { delivered: 'delivered', read: 'delivered', failed: 'failed' }

/** Reads the receipts of a Meta callback; ignores everything else in it. */
export function receiptsOfMeta(body: unknown): DeliveryReceipt[] {
  const callback = Callback.safeParse(body)
  if (!callback.success) return []
  const statuses = callback.data.entry.flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses ?? []))
  return statuses.flatMap((one) => {
    const status = Status.safeParse(one)
    const state = status.success && ends[status.data.status]
    if (!status.success || !state) return []
    const [error] = status.data.errors ?? []
    return [
      {
        id: status.data.id,
        state,
        reason: state === 'failed' ? `WhatsApp ${error?.code ?? ''}: ${error?.title ?? ''}` : null,
      },
    ]
  })
}
