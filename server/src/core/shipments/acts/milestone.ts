import { isAtLegEnd, type MilestoneKind } from '@isotherm/contract/shipments.ts'
import { happensOnce, moveBy } from '../../../domain/shipment-lifecycle.ts'
import { AppError, invalidField } from '../../../platform/errors/app-error.ts'
import { endOf } from '../ends.ts'
import { eventsOf, type LegRow, legsOf, type ShipmentEventRow, type ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import { updateLeg, updateShipment } from './act-queries.ts'
import { completeShipment } from './end-shipment.ts'
import { flyNow, landNow, planFlights } from './fly-devices.ts'
import { lockDevicesOf } from './locked-devices.ts'
import { moveTimes } from './move-times.ts'
import { noteShipmentEvent, shipmentTarget } from './note-event.ts'
import { instantOf, refuseMove } from './refusals.ts'
import { startShipment } from './start-shipment.ts'
import { isOfLast } from './told-events.ts'

export interface Milestone {
  kind: MilestoneKind
  /** Null or left out: of the whole shipment. */
  legId?: string | null | undefined
  occurredAt: Date
  /** Left out: that of the end of the leg at which it happens. */
  zone?: string | undefined
  portCode?: string | null | undefined
  placeName?: string | null | undefined
  position?: { lat: number; lon: number } | null
  deviceId?: number | null
  detail?: Record<string, unknown>
  corrects?: string | null | undefined
}

/**
 * Notes a milestone of a locked shipment: the actual times of legs are those of `departed` and `arrived`. The first departure starts the
 * shipment, the delivery at its last place completes it; a correction of either moves its time. Throws VALIDATION, SHIPMENT_NOT_STARTED, SHIPMENT_OVER, MILESTONE_KNOWN, or what
 * starting and completing throw.
 */
export async function noteMilestone(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  milestone: Milestone,
): Promise<ShipmentRow> {
  const { kind, legId = null, corrects = null } = milestone
  const legs = await legsOf(ctx, [shipment.id])
  const leg = legId === null ? null : legs.find(({ id }) => id === legId)
  if (leg === undefined) throw invalidField('legId', 'rule.unknownItem')
  const at = instantOf(ctx, milestone.occurredAt)
  const move = moveBy(kind, shipment.state as 'pending', isOfLast(legs, legId))
  if (move === 'refused') refuseMove(ctx, shipment, 'complete')
  await checkKnown(ctx, shipment, milestone)
  if (leg) checkTimes(leg, kind, at)
  const there = placeAt(shipment, leg, isAtLegEnd(kind, leg !== null && leg.atd !== null && leg.atd < at))
  await noteShipmentEvent(ctx, shipment, {
    ...{ kind, at, legId, corrects, zone: milestone.zone ?? there.zone },
    ...{ portCode: milestone.portCode ?? there.port, placeName: milestone.placeName ?? there.name },
    ...{ position: milestone.position ?? null, deviceId: milestone.deviceId ?? null, detail: milestone.detail ?? {} },
  })
  ctx.audit({
    action: corrects === null ? 'shipments.milestoneNoted' : 'shipments.milestoneCorrected',
    target: shipmentTarget(shipment),
    after: { milestone: kind, at: at.toISOString(), leg: leg?.sequence ?? null },
  })
  if (leg) await moveLeg(ctx, shipment, leg, kind, at)
  if (move === 'start') return startShipment(ctx, shipment, { at })
  if (move === 'complete') return completeShipment(ctx, shipment, { at })
  const times = corrects === null ? {} : await moveTimes(ctx, shipment, corrects, at)
  return updateShipment(ctx, shipment.id, times, ctx.clock.now())
}

/** A milestone that happens once is corrected, not noted again; a correction names a milestone of its kind that stands. */
async function checkKnown(ctx: ShipmentActContext, shipment: ShipmentRow, milestone: Milestone): Promise<void> {
  const { kind, legId = null, corrects = null } = milestone
  const events = await eventsOf(ctx, shipment.id)
  const standing = standingOf(events).filter((event) => event.kind === kind && event.leg_id === legId)
  if (corrects !== null) {
    if (!standing.some(({ id }) => id === corrects)) throw invalidField('corrects', 'rule.unknownItem')
  } else if (happensOnce(kind) && standing.length > 0) throw new AppError('MILESTONE_KNOWN')
}

/** The events that no later one takes the place of. */
export function standingOf(events: readonly ShipmentEventRow[]): ShipmentEventRow[] {
  const corrected = new Set(events.map(({ corrects }) => corrects))
  return events.filter(({ id }) => !corrected.has(id))
}

function checkTimes(leg: LegRow, kind: MilestoneKind, at: Date): void {
  if (leg.rolled_at !== null) throw invalidField('legId', 'rule.legRolled')
  if (kind === 'departed' && leg.ata && at > leg.ata) throw invalidField('at', 'rule.afterArrival')
  if (kind === 'arrived' && leg.atd && at < leg.atd) throw invalidField('at', 'rule.beforeDeparture')
}

async function moveLeg(ctx: ShipmentActContext, shipment: ShipmentRow, leg: LegRow, kind: MilestoneKind, at: Date) {
  if (kind === 'departed') {
    await updateLeg(ctx, leg.id, { atd: at })
    await flyNow(ctx, shipment, leg, at)
  }
  if (kind === 'arrived') {
    await updateLeg(ctx, leg.id, { ata: at })
    await landNow(ctx, shipment, leg)
    await planFlights(ctx, shipment, await legsOf(ctx, [shipment.id]), await lockDevicesOf(ctx, shipment.id))
  }
}

/** The end of a leg, or of the shipment, at which a milestone happens. */
export function placeAt(shipment: ShipmentRow, leg: LegRow | null, isEnd: boolean) {
  if (!leg) return { zone: endOf(isEnd ? shipment.destination : shipment.origin).timezone, port: null, name: null }
  return isEnd
    ? { zone: leg.to_zone, port: leg.to_port, name: leg.to_name }
    : { zone: leg.from_zone, port: leg.from_port, name: leg.from_name }
}
