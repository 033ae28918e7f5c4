import type { GivenLeg } from '@isotherm/contract/shipment-calls.ts'
import { MilestoneKind, shipmentLimits } from '@isotherm/contract/shipments.ts'
import { findCompany } from '../../core/company/company.ts'
import type { ShipmentActContext } from '../../core/shipments/acts/act-context.ts'
import { deleteLegs, placeLegs, updateLeg, updateShipment } from '../../core/shipments/acts/act-queries.ts'
import { planFlights } from '../../core/shipments/acts/fly-devices.ts'
import { lockDevicesOf } from '../../core/shipments/acts/locked-devices.ts'
import { standingOf } from '../../core/shipments/acts/milestone.ts'
import { noteShipmentEvent, shipmentTarget } from '../../core/shipments/acts/note-event.ts'
import { refuseBusyContainers, refuseOver } from '../../core/shipments/acts/refusals.ts'
import { endOf } from '../../core/shipments/ends.ts'
import { inSequence, insertLegs } from '../../core/shipments/insert-queries.ts'
import { eventsOf, type LegRow, legsOf, lockShipment, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { flightNumber, partsOfFlight } from '../../domain/identifiers.ts'
import { planOf } from '../../domain/leg-plan.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { Faults } from '../../platform/errors/faults.ts'
import { draftLegs, type Journey } from './draft-legs.ts'
import { legFacts } from './shipment-facts.ts'

/**
 * Checks the legs that a shipment is to have, in their order: those that stay are named by their ids, the others are new. One that has
 * departed, or was rolled over, stays (`refuseMoves`). Returns what writes them.
 */
export async function changeLegs(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  legs: readonly GivenLeg[],
  journey: Journey,
  faults: Faults,
): Promise<() => Promise<void>> {
  const kept = await legsOf(ctx, [shipment.id])
  const byId = new Map(kept.map((leg) => [leg.id, leg]))
  const wanted = legs.map(({ id }) => (id === undefined ? undefined : byId.get(id)))
  refuseMoves(legs, wanted, faults)
  const gone = kept.filter((leg) => !wanted.includes(leg))
  if (gone.some(isSettled)) faults.add('legs', 'rule.legDeparted')
  else if (await hasMilestones(ctx, shipment, gone)) faults.add('legs', 'rule.legHasMilestones')
  const drafts = inSequence(draftLegs(await legFacts(ctx, legs), legs, journey, faults))
  const at = { isPending: shipment.state === 'pending', now: ctx.clock.now() }
  return async () => {
    await deleteLegs(
      ctx,
      shipment.id,
      gone.map(({ id }) => id),
    )
    const staying = drafts.flatMap((draft, index) => {
      const old = wanted[index]
      return old ? [{ old, draft }] : []
    })
    await placeLegs(
      ctx,
      shipment.id,
      staying.map(({ old, draft }) => ({ id: old.id, sequence: draft.sequence })),
    )
    for (const { old, draft } of staying) await updateLeg(ctx, old.id, { ...draft, ...planOf(old, draft, at) })
    const added = drafts.filter((_, index) => wanted[index] === undefined)
    const rows = await insertLegs(ctx, shipment.id, added)
    if (shipment.state === 'pending') return
    for (const leg of rows) await noteShipmentEvent(ctx, shipment, { kind: 'legAdded', legId: leg.id })
    await afterLegs(ctx, shipment)
  }
}

const hasLeft = ({ atd, ata }: LegRow): boolean => atd !== null || ata !== null
const isSettled = (leg: LegRow): boolean => hasLeft(leg) || leg.rolled_at !== null

/**
 * Nothing is put before a leg that has departed but what was before it, and legs that have departed or were rolled over keep their order.
 * `wanted`: the stored legs at the places of the given ones; undefined: a new one.
 */
function refuseMoves(legs: readonly GivenLeg[], wanted: readonly (LegRow | undefined)[], faults: Faults): void {
  const lastLeft = wanted.findLastIndex((leg) => leg !== undefined && hasLeft(leg))
  let last = 0
  for (const [index, leg] of wanted.entries()) {
    const isKnown = leg !== undefined && wanted.indexOf(leg) === index
    if (legs[index]?.id !== undefined && !isKnown) faults.add(`legs.${index}.id`, 'rule.unknownItem')
    else if (index > lastLeft && !(leg && isSettled(leg))) continue
    else if (!leg || leg.sequence < last) {
      faults.add(`legs.${index}.id`, 'rule.legBeforeDeparted')
      break
    } else last = leg.sequence
  }
}

/** Whether a milestone that stands names one of some legs: they are evidence, and stay with their leg. */
async function hasMilestones(ctx: ShipmentActContext, shipment: ShipmentRow, legs: readonly LegRow[]) {
  if (legs.length === 0) return false
  const standing = standingOf(await eventsOf(ctx, shipment.id)).filter(
    ({ kind }) => MilestoneKind.safeParse(kind).success,
  )
  return standing.some(({ leg_id }) => legs.some(({ id }) => id === leg_id))
}

/** Legs of a shipment under way are others now: their containers are to be free, their flights planned. */
async function afterLegs(ctx: ShipmentActContext, shipment: ShipmentRow): Promise<void> {
  if (shipment.state !== 'ongoing') return
  const legs = await legsOf(ctx, [shipment.id])
  // Devices before containers, as a start locks them.
  const devices = await lockDevicesOf(ctx, shipment.id)
  await refuseBusyContainers(ctx, shipment.id, legs)
  await planFlights(ctx, shipment, legs, devices)
}

/**
 * Puts another leg in the place of one that did not depart: its container missed the vessel. The old one stays, as rolled over. Throws
 * NOT_FOUND, SHIPMENT_OVER, CONTAINER_BUSY or VALIDATION.
 */
export async function rollOver(
  ctx: ShipmentActContext,
  shipmentId: string,
  { legId, leg }: { legId: string; leg: GivenLeg },
): Promise<void> {
  const shipment = await lockShipment(ctx, shipmentId)
  refuseOver(ctx, shipment)
  const legs = await legsOf(ctx, [shipmentId])
  const old = legs.find(({ id }) => id === legId)
  if (!old) throw invalidField('legId', 'rule.unknownItem')
  if (old.atd !== null || old.rolled_at !== null) throw invalidField('legId', 'rule.legDeparted')
  if (legs.length >= shipmentLimits.legs)
    throw invalidField('legId', 'rule.tooManyLegs', { limit: shipmentLimits.legs })
  const faults = new Faults()
  const companyZone = (await findCompany(ctx.tx, ctx.companyId)).timezone
  const ends = { origin: endOf(shipment.origin), destination: endOf(shipment.destination) }
  const { id: _id, ...given } = leg
  const placed = [placedAs(old, given)]
  const journey = { ...ends, loadingOn: null, companyZone }
  const [draft] = draftLegs(await legFacts(ctx, placed), placed, journey, faults, () => 'leg')
  faults.throwIfAny()
  if (!draft) return
  const later = legs.filter(({ sequence }) => sequence > old.sequence)
  await placeLegs(
    ctx,
    shipmentId,
    later.map(({ id, sequence }) => ({ id, sequence: sequence + 1 })),
  )
  await updateLeg(ctx, old.id, { rolled_at: ctx.clock.now() })
  // A form that was opened before knows nothing of the new leg, and would delete it.
  await updateShipment(ctx, shipmentId, {}, ctx.clock.now())
  const [made] = await insertLegs(ctx, shipmentId, [{ ...draft, sequence: old.sequence + 1 }])
  const nameOf = ({ vessel_name, flight_number, voyage }: Pick<LegRow, 'vessel_name' | 'flight_number' | 'voyage'>) =>
    [vessel_name ?? flight_number, voyage].filter(Boolean).join(' ')
  const detail = { from: nameOf(old), to: made ? nameOf(made) : '' }
  await noteShipmentEvent(ctx, shipment, { kind: 'rolledOver', legId, zone: old.from_zone, detail })
  await afterLegs(ctx, shipment)
  ctx.audit({
    action: 'shipments.rolledOver',
    target: shipmentTarget(shipment),
    before: { leg: detail.from },
    after: { leg: detail.to },
  })
}

function airlineOf(flight: string): string | undefined {
  const read = flightNumber(flight)
  return 'value' in read ? partsOfFlight(read.value)?.carrier : undefined
}

/** The carrier, bookings and waybills of a leg: most often the same carrier has it go later. A flight names its airline itself. */
function papersOf(old: LegRow, { flightNumber: no }: Omit<GivenLeg, 'id'>) {
  if (no && old.carrier_code !== null && airlineOf(no) !== old.carrier_code) return {}
  const carrier = { carrierName: old.carrier_name, ...(old.mode !== 'air' && { carrierCode: old.carrier_code }) }
  const waybills = { awb: old.awb, awbUnchecked: old.awb_unchecked, houseAwb: old.house_awb }
  return { ...carrier, bookingNumber: old.booking_number, ...(old.mode === 'air' && waybills) }
}

/** A leg that leads where another one led and goes by the same papers, unless it says something else. */
const placedAs = (old: LegRow, leg: Omit<GivenLeg, 'id'>): GivenLeg => ({
  ...(leg.mode === old.mode && { fromPort: old.from_port, toPort: old.to_port, ...papersOf(old, leg) }),
  ...{ fromName: old.from_name, toName: old.to_name, fromZone: old.from_zone, toZone: old.to_zone },
  ...(leg.mode !== 'air' && { containerNo: old.container_no, sealNo: old.seal_no }),
  containerUnchecked: old.container_unchecked,
  ...Object.fromEntries(Object.entries(leg).filter(([, value]) => value !== null && value !== undefined)),
  mode: leg.mode,
})
