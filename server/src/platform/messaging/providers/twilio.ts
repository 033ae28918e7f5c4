import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { TwilioAccount } from '../../config/messaging.ts'
import { asForm, ask, form, keyed, mayPass, type PhoneMessage, type Taken } from './ask.ts'
import type { DeliveryReceipt } from './delivery-receipt.ts'

const Created = z.object({ sid: z.string() })
const Refused = z.object({ code: z.number().nullish(), message: z.string().nullish() })
// Refusals of our account's state, not of the message: the queue is full, too many at once, not authenticated.
const passing = new Set([20003, 20429, 21611, 14107, 30001])

/**
 * Sends an SMS by Twilio's Messages resource. Twilio knows no idempotency key: a message whose answer was lost is sent again,
 * unless a gateway at TWILIO_URL heeds the header.
 */
export async function sendByTwilio(
  account: TwilioAccount,
  { to, text, key }: PhoneMessage,
  reportUrl: string,
): Promise<Taken> {
  const { url, accountSid, authToken, from } = account
  const { status, body } = await ask(
    `${url}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    {
      ...asForm,
      ...keyed(key),
      authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    },
    form({
      To: to,
      Body: text,
      ...(from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }),
      // Twilio refuses callbacks it cannot reach.
      StatusCallback: reportUrl.startsWith('https:') ? reportUrl : undefined,
    }),
  )
  const created = Created.safeParse(body)
  if (status < 300 && created.success) return { ok: true, provider: 'twilio', providerId: created.data.sid }
  const { code, message } = Refused.catch({}).parse(body)
  if (mayPass(status) || status < 300 || (code && passing.has(code)))
    throw new Error(`Twilio answered ${status} ${code ?? ''}`)
  return { ok: false, reason: `Twilio ${code ?? status}: ${message ?? ''}` }
}

/** Whether a callback is Twilio's: the HMAC-SHA1 of its address and its sorted fields by our token. */
export function isOfTwilio(authToken: string, url: string, fields: URLSearchParams, signature: string): boolean {
  const names = [...new Set(fields.keys())].sort()
  const signed = url + names.map((name) => name + fields.getAll(name).join('')).join('')
  return isSame(createHmac('sha1', authToken).update(signed).digest(), Buffer.from(signature, 'base64'))
}

export const isSame = (expected: Buffer, given: Buffer): boolean =>
  expected.length === given.length && timingSafeEqual(expected, given)

const ends: Record<string, DeliveryReceipt['state']> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
}

/** Reads the receipts of a Twilio callback; ignores intermediate states. */
export function receiptsOfTwilio(fields: URLSearchParams): DeliveryReceipt[] {
  const state = ends[fields.get('MessageStatus') ?? '']
  const id = fields.get('MessageSid')
  return state && id
    ? [{ id, state, reason: state === 'failed' ? `Twilio ${fields.get('ErrorCode') ?? ''}` : null }]
    : []
}
