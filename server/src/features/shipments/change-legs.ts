import type { GivenLeg } from '@isotherm/contract/shipment-calls.ts'
import { shipmentLimits } from '@isotherm/contract/shipments.ts'
import { findCompany } from '../../core/company/company.ts'
import type { ShipmentActContext } from '../../core/shipments/acts/act-context.ts'
import { deleteLegs, updateLeg } from '../../core/shipments/acts/act-queries.ts'
import { planFlights } from '../../core/shipments/acts/fly-devices.ts'
import { lockDevicesOf } from '../../core/shipments/acts/locked-devices.ts'
import { noteShipmentEvent, shipmentTarget } from '../../core/shipments/acts/note-event.ts'
import { refuseBusyContainers, refuseOver } from '../../core/shipments/acts/refusals.ts'
import { endOf } from '../../core/shipments/ends.ts'
import { insertLegs } from '../../core/shipments/insert-queries.ts'
import { type LegRow, legsOf, lockShipment, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { planOf } from '../../domain/leg-plan.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { Faults } from '../../platform/errors/faults.ts'
import { draftLegs, type Journey } from './draft-legs.ts'
import { legFacts } from './shipment-facts.ts'

/**
 * Checks the legs that a shipment is to have: those that stay are named by their ids, in their order, and new ones come behind them. One that
 * has departed, or was rolled over, stays. Returns what writes them.
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
  let last = 0
  for (const [index, { id }] of legs.entries()) {
    const sequence = id === undefined ? Number.POSITIVE_INFINITY : (byId.get(id)?.sequence ?? 0)
    if (sequence <= last && sequence !== Number.POSITIVE_INFINITY) faults.add(`legs.${index}.id`, 'rule.unknownItem')
    last = sequence
  }
  const gone = kept.filter((leg) => !legs.some(({ id }) => id === leg.id))
  if (gone.some(({ atd, ata, rolled_at }) => atd !== null || ata !== null || rolled_at !== null))
    faults.add('legs', 'rule.legDeparted')
  const drafts = draftLegs(await legFacts(ctx, legs), legs, journey, faults)
  const at = { isPending: shipment.state === 'pending', now: ctx.clock.now() }
  return async () => {
    await deleteLegs(
      ctx,
      shipment.id,
      gone.map(({ id }) => id),
    )
    for (const [index, draft] of drafts.entries()) {
      const old = byId.get(legs[index]?.id ?? '')
      if (old) await updateLeg(ctx, old.id, { ...draft, ...planOf(old, draft, at), sequence: index + 1 })
    }
    const added = drafts.filter((_, index) => legs[index]?.id === undefined)
    const rows = await insertLegs(ctx, shipment.id, added, drafts.length - added.length + 1)
    if (shipment.state === 'pending') return
    for (const leg of rows) await noteShipmentEvent(ctx, shipment, { kind: 'legAdded', legId: leg.id })
    await afterLegs(ctx, shipment)
  }
}

/** Legs of a shipment under way are others now: their containers are to be free, their flights planned. */
async function afterLegs(ctx: ShipmentActContext, shipment: ShipmentRow): Promise<void> {
  if (shipment.state !== 'ongoing') return
  const legs = await legsOf(ctx, [shipment.id])
  await refuseBusyContainers(ctx, shipment.id, legs)
  await planFlights(ctx, shipment, legs, await lockDevicesOf(ctx, shipment.id))
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
  // From the last one on, so that no two have one sequence.
  for (const later of legs.filter(({ sequence }) => sequence > old.sequence).reverse())
    await updateLeg(ctx, later.id, { sequence: later.sequence + 1 })
  await updateLeg(ctx, old.id, { rolled_at: ctx.clock.now() })
  const [made] = await insertLegs(ctx, shipmentId, [draft], old.sequence + 1)
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

/** A leg that leads where another one led, unless it says something else. */
const placedAs = (old: LegRow, leg: Omit<GivenLeg, 'id'>): GivenLeg => ({
  ...(leg.mode === old.mode && { fromPort: old.from_port, toPort: old.to_port }),
  ...{ fromName: old.from_name, toName: old.to_name, fromZone: old.from_zone, toZone: old.to_zone },
  ...(leg.mode !== 'air' && { containerNo: old.container_no, sealNo: old.seal_no }),
  containerUnchecked: old.container_unchecked,
  ...Object.fromEntries(Object.entries(leg).filter(([, value]) => value !== null && value !== undefined)),
  mode: leg.mode,
})
