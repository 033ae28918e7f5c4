/** The instants that a leg was planned for. */
export interface LegPlan {
  planned_etd: Date | null
  planned_eta: Date | null
}

interface PlannedLeg extends LegPlan {
  atd: Date | null
  rolled_at: Date | null
}

/**
 * The plan of a leg once somebody has said when it departs and arrives. The plan follows while the shipment is pending and the planned
 * departure lies ahead; from then on only an instant that has no plan yet is planned, and none once the leg has departed.
 */
export function planOf(
  leg: PlannedLeg,
  said: { etd: Date | null; eta: Date | null },
  { isPending, now }: { isPending: boolean; now: Date },
): LegPlan {
  const { atd, rolled_at, planned_etd, planned_eta } = leg
  if (atd !== null || rolled_at !== null) return { planned_etd, planned_eta }
  if (isPending && (planned_etd === null || planned_etd > now)) return { planned_etd: said.etd, planned_eta: said.eta }
  return { planned_etd: planned_etd ?? said.etd, planned_eta: planned_eta ?? said.eta }
}
