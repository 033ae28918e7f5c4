import { z } from 'zod'
import { get } from './call.ts'
import { Id, Instant } from './common.ts'
import { Measure } from './device-limits.ts'
import { Side } from './excursions.ts'
import { MeasuredDevice } from './shipment-calls.ts'
import { MilestoneKind, ShipmentHolderKind } from './shipments.ts'

/** The holder of a shipment's goods; `name`: as far as somebody told it. */
export const ShipmentHolder = z.object({ kind: ShipmentHolderKind, name: z.string().nullable(), legId: Id.nullable() })
export type ShipmentHolder = z.infer<typeof ShipmentHolder>

/** An excursion as far as it lies within the shipment, with the time that each holder had the goods. */
export const HeldShipmentExcursion = z.object({
  deviceId: Id,
  deviceName: z.string(),
  measure: Measure,
  side: Side,
  from: Instant,
  to: Instant,
  peak: z.number().nullable(),
  shares: z.array(z.object({ holder: ShipmentHolder, ms: z.number() })),
})
export type HeldShipmentExcursion = z.infer<typeof HeldShipmentExcursion>

/** From the start of a shipment to its end, or to now. Of the devices that the reader may see. */
export const ShipmentCustody = z.object({
  hiddenDevices: z.number().int(),
  /** One after the other; together they fill the time. */
  stretches: z.array(
    z.object({
      holder: ShipmentHolder,
      from: Instant,
      to: Instant,
      /** The evidence for its beginning. */
      basis: z.enum([...MilestoneKind.options, 'start']),
      devices: z.array(MeasuredDevice),
    }),
  ),
  /** By holder; `outsideMs`: excursions of temperature, added up over devices. */
  totals: z.array(z.object({ holder: ShipmentHolder, heldMs: z.number(), outsideMs: z.number() })),
  excursions: z.array(HeldShipmentExcursion),
})
export type ShipmentCustody = z.infer<typeof ShipmentCustody>

const view = { needs: 'dispatch.view' } as const

export const shipmentEvidence = {
  custody: get('/export/shipments/:id/custody', {
    ...view,
    summary: 'Who held the goods when, what devices measured meanwhile, and the part of each excursion',
    returns: ShipmentCustody.nullable(),
  }),
}
