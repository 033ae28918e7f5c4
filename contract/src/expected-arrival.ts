import type { ShipmentLeg } from './shipments.ts'

// A file of its own: the process that writes a report loads no schemas for it.

type Times = Pick<ShipmentLeg, 'etd' | 'eta' | 'plannedEtd' | 'plannedEta' | 'atd' | 'ata' | 'rolledAt'>

/** Seconds are lost where a form shows minutes. */
const isOther = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one !== other : Math.abs(Date.parse(one) - Date.parse(other)) >= 60_000

/**
 * The instant at which a leg that has not arrived is expected to: as somebody said, later by as much as it departed late, and never before
 * now; null where nobody has said anything. An arrival that was said anew, without another departure, has the delay in it.
 */
export function expectedArrival(leg: Times, now: number): number | null {
  if (leg.ata !== null || leg.rolledAt !== null || leg.eta === null) return null
  const isAnew = isOther(leg.eta, leg.plannedEta) && !isOther(leg.etd, leg.plannedEtd)
  const delay =
    leg.atd !== null && leg.etd !== null && !isAnew ? Math.max(0, Date.parse(leg.atd) - Date.parse(leg.etd)) : 0
  return Math.max(now, Date.parse(leg.eta) + delay)
}

/** The instants at which a leg is expected to depart and to arrive, where they are not those of its plan, or it is under way. */
export function estimatesOf(leg: Times, now: number): { departure: number | null; arrival: number | null } {
  const isAhead = leg.atd === null && leg.ata === null && leg.rolledAt === null
  return {
    departure: isAhead && leg.etd !== null && isOther(leg.etd, leg.plannedEtd) ? Date.parse(leg.etd) : null,
    arrival: leg.atd !== null || isOther(leg.eta, leg.plannedEta) ? expectedArrival(leg, now) : null,
  }
}
