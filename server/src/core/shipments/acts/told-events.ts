import { MilestoneKind } from '@isotherm/contract/shipments.ts'
import type { ToldEvent } from '../../../domain/shipment-lifecycle.ts'
import { eventsOf, type LegRow, legsOf } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'

/** Whether something is of the last leg of those that were not missed, or of no leg. */
export const isOfLast = (legs: readonly LegRow[], legId: string | null): boolean =>
  legId === null || legId === legs.filter(({ rolled_at }) => rolled_at === null).at(-1)?.id

/** The events of a shipment, as far as its state depends on them. */
export async function toldEvents(ctx: ShipmentActContext, shipmentId: string): Promise<ToldEvent[]> {
  const legs = await legsOf(ctx, [shipmentId])
  return (await eventsOf(ctx, shipmentId)).map(({ id, kind, occurred_at, corrects, leg_id }) => ({
    ...{ id, kind, corrects, milestone: MilestoneKind.safeParse(kind).data ?? null },
    ...{ occurredAt: occurred_at, isLast: isOfLast(legs, leg_id) },
  }))
}
