import type { ShipmentLeg } from './shipments.ts'

// A file of its own: the process that writes a report loads no schemas for it.

/**
 * The instant at which a leg that has not arrived is expected to: by plan, later by as much as it departed late, and never before now; null
 * where it has no plan.
 */
export function expectedArrival(
  leg: Pick<ShipmentLeg, 'etd' | 'eta' | 'atd' | 'ata' | 'rolledAt'>,
  now: number,
): number | null {
  if (leg.ata !== null || leg.rolledAt !== null || leg.eta === null) return null
  const delay = leg.atd !== null && leg.etd !== null ? Math.max(0, Date.parse(leg.atd) - Date.parse(leg.etd)) : 0
  return Math.max(now, Date.parse(leg.eta) + delay)
}
