import { expectedArrival } from '@isotherm/contract/expected-arrival.ts'
import { milestoneKinds, type ShipmentEvent, type ShipmentLeg } from '@isotherm/contract/shipments.ts'

/** A leg as choices and titles name it: "2. Sea Cape Breeze". */
export const nameOfLeg = (leg: Pick<ShipmentLeg, 'sequence' | 'vesselName' | 'flightNumber'>, mode: string): string =>
  [`${leg.sequence}.`, mode, leg.vesselName ?? leg.flightNumber].filter(Boolean).join(' ')

export type LegStage = 'planned' | 'underWay' | 'arrived' | 'rolled'

export function stageOf({ rolledAt, atd, ata }: ShipmentLeg): LegStage {
  if (rolledAt !== null) return 'rolled'
  if (ata !== null) return 'arrived'
  return atd === null ? 'planned' : 'underWay'
}

/** The share of a leg that lies behind, from 0 to 1: by time, because nobody measures its miles. */
export function shareOf(leg: ShipmentLeg, now: number): number {
  const stage = stageOf(leg)
  if (stage !== 'underWay') return stage === 'arrived' ? 1 : 0
  const from = Date.parse(leg.atd ?? '')
  const to = expectedArrival(leg, now)
  // One that is due is not there yet.
  return to === null || to <= from ? 0.5 : Math.min(0.97, Math.max(0.03, (now - from) / (to - from)))
}

/** Later than this, when an event was heard of is told beside when it happened. */
const lateMs = 60_000

export const wasHeardLate = ({ occurredAt, recordedAt }: Pick<ShipmentEvent, 'occurredAt' | 'recordedAt'>): boolean =>
  Date.parse(recordedAt) - Date.parse(occurredAt) > lateMs

const isMilestone = ({ kind }: ShipmentEvent) => (milestoneKinds as readonly string[]).includes(kind)

/**
 * The milestones that stand, and those that were withdrawn, by the leg at which they are shown, in the sequence in which they occurred: one of the
 * whole shipment belongs to the last leg that had departed by then, else to the first.
 */
export function milestonesByLeg(
  legs: readonly ShipmentLeg[],
  events: readonly ShipmentEvent[],
): Map<string, ShipmentEvent[]> {
  const standing = legs.filter(({ rolledAt }) => rolledAt === null)
  const first = standing[0] ?? legs[0]
  const legAt = (at: number) =>
    standing.findLast(({ atd }) => atd !== null && Date.parse(atd) <= at)?.id ?? first?.id ?? ''
  return Map.groupBy(
    events
      .filter((event) => isMilestone(event) && (!event.isCorrected || event.withdrawn))
      .toSorted((a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt)),
    ({ legId, occurredAt }) => legId ?? legAt(Date.parse(occurredAt)),
  )
}
