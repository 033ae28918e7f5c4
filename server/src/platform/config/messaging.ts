import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { url } from './values.ts'

const word = z.string().trim()

/** The providers of SMS and chat messages. */
export const messagingVariables = {
  SMS_PROVIDER: z.enum(['twilio', 'africastalking'], { error: 'must be twilio or africastalking' }).optional(),
  TWILIO_URL: url('http', 'https').default('https://api.twilio.com'),
  TWILIO_ACCOUNT_SID: word.optional(),
  TWILIO_AUTH_TOKEN: word.optional(),
  TWILIO_FROM: word.optional(),
  AFRICASTALKING_URL: url('http', 'https').default('https://api.africastalking.com'),
  AFRICASTALKING_USERNAME: word.optional(),
  AFRICASTALKING_API_KEY: word.optional(),
  AFRICASTALKING_FROM: word.optional(),
  AFRICASTALKING_REPORT_SECRET: word.min(20, { error: 'must have at least 20 characters' }).optional(),
  WHATSAPP_URL: url('http', 'https').default('https://graph.facebook.com/v23.0'),
  WHATSAPP_PHONE_ID: word.regex(/^\d+$/, { error: 'must be the number of a phone number id' }).optional(),
  WHATSAPP_TOKEN: word.optional(),
  WHATSAPP_TEMPLATE: word.regex(/^[a-z0-9_]+$/, { error: 'must be the name of a template' }).optional(),
  WHATSAPP_APP_SECRET: word.optional(),
  WHATSAPP_VERIFY_TOKEN: word.optional(),
  WEB_PUSH_PUBLIC_KEY: word
    .regex(/^B[\w-]{86}$/, { error: 'must be an uncompressed point of P-256 in base64url: 87 characters' })
    .optional(),
  WEB_PUSH_PRIVATE_KEY: word.regex(/^[\w-]{43}$/, { error: 'must be 32 bytes in base64url: 43 characters' }).optional(),
  WEB_PUSH_SUBJECT: word.regex(/^(mailto:|https:)/, { error: 'must begin with mailto: or https:' }).optional(),
}

type Variables = z.infer<z.ZodObject<typeof messagingVariables>>

// A provider half configured would fail at the first alarm instead of at the start.
const belongsTogether: [(data: Variables) => boolean, (keyof Variables)[]][] = [
  [({ SMS_PROVIDER }) => SMS_PROVIDER === 'twilio', ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']],
  [({ SMS_PROVIDER }) => SMS_PROVIDER === 'africastalking', ['AFRICASTALKING_USERNAME', 'AFRICASTALKING_API_KEY']],
  [
    (data) => Boolean(data.WHATSAPP_PHONE_ID ?? data.WHATSAPP_TOKEN ?? data.WHATSAPP_TEMPLATE),
    ['WHATSAPP_PHONE_ID', 'WHATSAPP_TOKEN', 'WHATSAPP_TEMPLATE'],
  ],
  [
    (data) => Boolean(data.WHATSAPP_APP_SECRET ?? data.WHATSAPP_VERIFY_TOKEN),
    ['WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN'],
  ],
  [
    (data) => Boolean(data.WEB_PUSH_PUBLIC_KEY ?? data.WEB_PUSH_PRIVATE_KEY ?? data.WEB_PUSH_SUBJECT),
    ['WEB_PUSH_PUBLIC_KEY', 'WEB_PUSH_PRIVATE_KEY', 'WEB_PUSH_SUBJECT'],
  ],
]

/** The variables a chosen provider lacks, and keys that are no pair, a line each. */
export const missingOfProviders = (data: Variables): string[] => [
  ...belongsTogether.flatMap(([isWanted, names]) =>
    isWanted(data)
      ? names.filter((name) => !data[name]).map((name) => `${name} must be set with the others of its provider`)
      : [],
  ),
  ...(isPair(data) ? [] : ['WEB_PUSH_PUBLIC_KEY must be that of WEB_PUSH_PRIVATE_KEY']),
]

function isPair({ WEB_PUSH_PUBLIC_KEY: publicKey, WEB_PUSH_PRIVATE_KEY: privateKey }: Variables): boolean {
  if (!publicKey || !privateKey) return true
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
  } catch {
    // Zero, or beyond the order of the curve.
    return false
  }
  return pair.getPublicKey('base64url') === publicKey
}

export interface TwilioAccount {
  url: string
  accountSid: string
  authToken: string
  /** A number, a sender's name, or a messaging service (MG...). */
  from: string
}
export interface AfricasTalkingAccount {
  url: string
  username: string
  apiKey: string
  from: string | undefined
  reportSecret: string | undefined
}
export interface WhatsAppAccount {
  url: string
  phoneId: string
  token: string
  template: string
  /** Settings of delivery receipts; null: there are none. */
  reports: { appSecret: string; verifyToken: string } | null
}
/** VAPID keys, base64url, and whom a push service may turn to. */
export interface WebPushAccount {
  publicKey: string
  privateKey: string
  subject: string
}
export interface MessagingAccounts {
  webPush: WebPushAccount | null
  twilio: TwilioAccount | null
  africasTalking: AfricasTalkingAccount | null
  whatsApp: WhatsAppAccount | null
}

const bare = (address: string) => address.replace(/\/+$/, '')

export const messagingOf = (data: Variables): MessagingAccounts => ({
  webPush: data.WEB_PUSH_PUBLIC_KEY
    ? {
        publicKey: data.WEB_PUSH_PUBLIC_KEY,
        privateKey: data.WEB_PUSH_PRIVATE_KEY ?? '',
        subject: data.WEB_PUSH_SUBJECT ?? '',
      }
    : null,
  twilio:
    data.SMS_PROVIDER === 'twilio'
      ? {
          url: bare(data.TWILIO_URL),
          accountSid: data.TWILIO_ACCOUNT_SID ?? '',
          authToken: data.TWILIO_AUTH_TOKEN ?? '',
          from: data.TWILIO_FROM ?? '',
        }
      : null,
  africasTalking:
    data.SMS_PROVIDER === 'africastalking'
      ? {
          url: bare(data.AFRICASTALKING_URL),
          username: data.AFRICASTALKING_USERNAME ?? '',
          apiKey: data.AFRICASTALKING_API_KEY ?? '',
          from: data.AFRICASTALKING_FROM,
          reportSecret: data.AFRICASTALKING_REPORT_SECRET,
        }
      : null,
  whatsApp: data.WHATSAPP_PHONE_ID
    ? {
        url: bare(data.WHATSAPP_URL),
        phoneId: data.WHATSAPP_PHONE_ID,
        token: data.WHATSAPP_TOKEN ?? '',
        template: data.WHATSAPP_TEMPLATE ?? '',
        reports:
          data.WHATSAPP_APP_SECRET && data.WHATSAPP_VERIFY_TOKEN
            ? { appSecret: data.WHATSAPP_APP_SECRET, verifyToken: data.WHATSAPP_VERIFY_TOKEN }
            : null,
      }
    : null,
})
