import type { ShipmentConditions } from '@isotherm/contract/shipment-calls.ts'
import { presentMeasured } from '../../core/shipments/measured.ts'
import { measuredDuring, type Stretch } from '../../core/shipments/measured-queries.ts'
import { findShipment, legsOf, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import type { Viewer } from '../../platform/context.ts'

/** The whole time of a shipment that has started, then each leg that departed: up to its arrival, the end, or now. */
async function stretchesOf(ctx: Viewer, shipment: ShipmentRow): Promise<Stretch[]> {
  const { started_at: from } = shipment
  if (!from) return []
  const end = shipment.ended_at ?? shipment.cancelled_at ?? ctx.clock.now()
  const legs = (await legsOf(ctx, [shipment.id])).flatMap(({ id, atd, ata }) => {
    const to = ata ?? end
    return atd !== null && to > atd ? [{ legId: id, from: atd, to }] : []
  })
  return [{ legId: null, from, to: end }, ...legs]
}

/** The measurements of the devices that the person sees, from the start to the end, and during each leg. Throws NOT_FOUND. */
export async function conditionsOf(ctx: Viewer, shipmentId: string): Promise<ShipmentConditions> {
  const stretches = await stretchesOf(ctx, await findShipment(ctx, shipmentId))
  const rows = stretches.length > 0 ? await measuredDuring(ctx, shipmentId, stretches) : []
  const byStretch = Map.groupBy(rows, ({ stretch }) => stretch)
  return stretches.map(({ legId, from, to }, index) => ({
    ...{ legId, from: from.toISOString(), to: to.toISOString() },
    devices: (byStretch.get(index + 1) ?? []).map(presentMeasured),
  }))
}
