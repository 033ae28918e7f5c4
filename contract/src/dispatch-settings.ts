import { z } from 'zod'
import { get, put } from './call.ts'
import { Email } from './common.ts'

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
  /** After the start a device that is still cooling down does not count. */
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
})
export type DispatchSettings = z.infer<typeof DispatchSettings>

/** `currencyInUse`: the chosen one, or that of the company's country; null where neither is known. */
export const ShownDispatchSettings = DispatchSettings.extend({
  currencyInUse: z.string().nullable(),
  version: z.number().int(),
})
export type ShownDispatchSettings = z.infer<typeof ShownDispatchSettings>

export const dispatchSettings = {
  read: get('/dispatch/settings', {
    needs: 'dispatch.view',
    summary: 'Rate card, pre-cooling, waiting time and terms of carriage of the company',
    returns: ShownDispatchSettings,
  }),
  change: put('/dispatch/settings', {
    needs: 'dispatch.addOrEdit',
    summary: 'Saves how the company dispatches; orders that are there keep their price',
    body: DispatchSettings.extend({ version: z.number().int().min(0) }),
    returns: ShownDispatchSettings,
  }),
}
