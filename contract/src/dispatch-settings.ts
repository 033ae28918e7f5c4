import { z } from 'zod'
import { Channel, PersonRecipient, RotaRecipient } from './alarm-recipients.ts'
import { get, put } from './call.ts'
import { Email, Id } from './common.ts'

// So that the fee of the heaviest order along the longest path still is an exact number.
const Rate = z.number().int().min(0).max(100_000_000)

/** How a company dispatches. */
export const DispatchSettings = z.strictObject({
  /** ISO 4217; null: the one of the company's country. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'currency')
    .nullable(),
  /** The price of a delivery where nobody types it: minor units. */
  baseFee: Rate,
  feePerKm: Rate,
  feePerKg: Rate,
  feePerStop: Rate,
  /** An order does not start before its devices are within their limits. */
  preCoolRequired: z.boolean(),
  /** Goods that are out of range are told of so long after the start: devices may still cool down before. */
  ignoreMinutes: z.number().int().min(0).max(240),
  showsDriverName: z.boolean(),
  /** Devices that end an order settle the stops that they reached and left as delivered, without a signature; else a person says it. */
  fenceSettles: z.boolean(),
  /** Minutes of waiting at a stop that cost nothing. */
  freeMinutes: z.number().int().min(0).max(1_440),
  /** The terms that say until when a damage is told of: the convention on carriage by road, or the company's own. */
  carriage: z.enum(['cmr', 'own']),
  noticeDays: z.number().int().min(1).max(365),
  /** The address that hears of late deliveries. */
  lateMail: Email.nullable(),
  /** A warning that nobody acknowledged is told again so often; null: never. */
  reminderMinutes: z.number().int().min(5).max(1440).nullable(),
  /** A warning that nobody acknowledged for so long is told once to the second recipients; null: never. */
  escalateMinutes: z.number().int().min(1).max(1440).nullable(),
})
export type DispatchSettings = z.infer<typeof DispatchSettings>

/** The lists of people who hear of orders: that one will be late, and that its goods are out of range. */
export const orderLists = ['late', 'outOfRange'] as const
export type OrderList = (typeof orderLists)[number]

export const NewOrderRecipient = z.union([PersonRecipient, RotaRecipient])
export type NewOrderRecipient = z.infer<typeof NewOrderRecipient>
const People = z.array(NewOrderRecipient).max(50)
/** The people and rotas that hear of orders. An empty list of first recipients: everybody who may view dispatch, in the app. */
export const OrderRecipients = z.strictObject({ late: People, outOfRange: People })
export type OrderRecipients = z.infer<typeof OrderRecipients>

/**
 * `unreachable`: channels that the person has no number for. `mayView`: false where the person may not view dispatch, and so hears nothing.
 * `onCall`: the person of a rota who hears of orders now; null where it has nobody who can, and for people.
 */
export const OrderRecipient = z.object({
  userId: Id.nullable(),
  rotaId: Id.nullable(),
  onCall: z.string().nullable(),
  name: z.string(),
  channels: z.array(Channel),
  unreachable: z.array(Channel),
  mayView: z.boolean(),
})
export type OrderRecipient = z.infer<typeof OrderRecipient>

/** `recipients`, `escalation`, `reminderMinutes` or `escalateMinutes` left out: they stay as they are. */
export const DispatchSettingsChange = DispatchSettings.extend({
  reminderMinutes: DispatchSettings.shape.reminderMinutes.optional(),
  escalateMinutes: DispatchSettings.shape.escalateMinutes.optional(),
  recipients: OrderRecipients.optional(),
  /** The second recipients: they are needed where there are minutes, and only there. */
  escalation: OrderRecipients.optional(),
  version: z.number().int().min(0),
})
export type DispatchSettingsChange = z.infer<typeof DispatchSettingsChange>

const ShownRecipients = z.object({ late: z.array(OrderRecipient), outOfRange: z.array(OrderRecipient) })

/** `currencyInUse`: the chosen one, or that of the company's country; null where neither is known. */
export const ShownDispatchSettings = DispatchSettings.extend({
  currencyInUse: z.string().nullable(),
  recipients: ShownRecipients,
  escalation: ShownRecipients,
  version: z.number().int(),
})
export type ShownDispatchSettings = z.infer<typeof ShownDispatchSettings>

/** Whose or what's removal is asked about. */
export const SilencedListsQuery = z.strictObject({ without: z.enum(['user', 'rota']), id: Id })
export type SilencedListsQuery = z.infer<typeof SilencedListsQuery>

/** A list of the first recipients, or of the second ones. */
export const SilencedList = z.object({ tier: z.enum(['recipients', 'escalation']), list: z.enum(orderLists) })
export type SilencedList = z.infer<typeof SilencedList>

export const dispatchSettings = {
  read: get('/dispatch/settings', {
    needs: 'dispatch.view',
    summary: 'Rate card, pre-cooling, waiting time, terms of carriage and recipients of the company',
    returns: ShownDispatchSettings,
  }),
  change: put('/dispatch/settings', {
    needs: 'dispatch.addOrEdit',
    summary: 'Saves how the company dispatches; orders that are there keep their price',
    body: DispatchSettingsChange,
    returns: ShownDispatchSettings,
    counts: 'recipients',
  }),
  silenced: get('/dispatch/settings/silenced', {
    needs: 'dispatch.view',
    summary: 'The lists of recipients that would reach nobody without this person or rota',
    query: SilencedListsQuery,
    returns: z.array(SilencedList),
  }),
}
