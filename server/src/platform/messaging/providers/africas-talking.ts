import { z } from 'zod'
import type { AfricasTalkingAccount } from '../../config/messaging.ts'
import { asForm, ask, form, keyed, mayPass, type PhoneMessage, type Taken } from './ask.ts'
import type { DeliveryReceipt } from './delivery-receipt.ts'

const Answered = z.object({
  SMSMessageData: z.object({
    Message: z.string().optional(),
    Recipients: z.array(
      z.object({ statusCode: z.number(), status: z.string().optional(), messageId: z.string().optional() }),
    ),
  }),
})
// Processed, sent, queued.
const taken = new Set([100, 101, 102])
// Invalid sender, number, kind of number, on a blacklist, no route, do-not-disturb. Risk hold, an empty account and what went wrong
// at theirs (401, 405, 5xx) may pass.
const definite = new Set([402, 403, 404, 406, 407, 409])

/** Sends an SMS by Africa's Talking, which documents no idempotency key: a message whose answer was lost is sent again. */
export async function sendByAfricasTalking(
  { url, username, apiKey, from }: AfricasTalkingAccount,
  { to, text, key }: PhoneMessage,
): Promise<Taken> {
  const { status, body } = await ask(
    `${url}/version1/messaging`,
    { ...asForm, ...keyed(key), apiKey },
    form({ username, to, message: text, from, enqueue: '1' }),
  )
  if (status >= 300) {
    if (mayPass(status)) throw new Error(`Africa's Talking answered ${status}`)
    return { ok: false, reason: `Africa's Talking ${status}` }
  }
  const answered = Answered.safeParse(body)
  // "InvalidSenderId" and the like come as the message, without recipients.
  if (!answered.success) throw new Error("Africa's Talking answered something else")
  const { Message = '', Recipients } = answered.data.SMSMessageData
  const [recipient] = Recipients
  if (!recipient) {
    if (/^Invalid/i.test(Message)) return { ok: false, reason: `Africa's Talking: ${Message}` }
    throw new Error(`Africa's Talking took no recipient: ${Message}`)
  }
  if (taken.has(recipient.statusCode))
    return { ok: true, provider: 'africastalking', providerId: recipient.messageId ?? null }
  const reason = `Africa's Talking ${recipient.statusCode}: ${recipient.status ?? ''}`
  if (definite.has(recipient.statusCode)) return { ok: false, reason }
  throw new Error(reason)
}

const ends: Record<string, DeliveryReceipt['state']> = {
  Success: 'delivered',
  Failed: 'failed',
  Rejected: 'failed',
  Expired: 'failed',
  AbsentSubscriber: 'failed',
}

export function receiptsOfAfricasTalking(fields: URLSearchParams): DeliveryReceipt[] {
  const state = ends[fields.get('status') ?? '']
  const id = fields.get('id')
  if (!state || !id) return []
  const why = fields.get('failureReason') || fields.get('status')
  return [{ id, state, reason: state === 'failed' ? `Africa's Talking: ${why}` : null }]
}
