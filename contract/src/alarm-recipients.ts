import { z } from 'zod'
import { Email, Id, Phone, webAddress } from './common.ts'

export const channels = ['app', 'mail', 'sms', 'chat', 'webhook'] as const
export const Channel = z.enum(channels)
export type Channel = z.infer<typeof Channel>

/** https, or http for a machine on the company's own net where the operator allows it; judged again when it is called. */
export const WebhookUrl = webAddress(/^https?$/, 2000)

const personal = z
  .array(z.enum(['app', 'mail', 'sms', 'chat']))
  .min(1)
  .max(4)
/** An Admin vouches for an address that somebody else named: it hears of private devices while they are an Admin. */
const vouched = z.literal(true).optional()
/** A person of the team by the channels they get it by. */
export const PersonRecipient = z.strictObject({ userId: Id, channels: personal })
export type PersonRecipient = z.infer<typeof PersonRecipient>

/** A rota by the channels that the person on call gets it by. */
export const RotaRecipient = z.strictObject({ rotaId: Id, channels: personal })
export type RotaRecipient = z.infer<typeof RotaRecipient>

/** A person or a rota by the channels they get it by, or a raw address (whose channel follows from its field). */
export const NewRecipient = z.union([
  PersonRecipient,
  RotaRecipient,
  z.strictObject({ email: Email, vouched }),
  z.strictObject({
    phone: Phone,
    channels: z
      .array(z.enum(['sms', 'chat']))
      .min(1)
      .max(2),
    vouched,
  }),
  z.strictObject({ webhook: WebhookUrl, vouched }),
])
export type NewRecipient = z.infer<typeof NewRecipient>

/**
 * `name` is a person's or a rota's; null for a raw address. `onCall`: the person of a rota who hears of the alarm now; null where it has
 * nobody who can, and for other recipients. A channel the person has no address for is in `unreachable`. Of a webhook's address
 * who may not edit alarms sees the host only. `hearsPrivate`: an Admin, or an address that an Admin named who still is one.
 */
export const Recipient = z.object({
  userId: Id.nullable(),
  rotaId: Id.nullable(),
  onCall: z.string().nullable(),
  name: z.string().nullable(),
  address: z.string().nullable(),
  channels: z.array(Channel),
  unreachable: z.array(Channel),
  hearsPrivate: z.boolean(),
})
export type Recipient = z.infer<typeof Recipient>
