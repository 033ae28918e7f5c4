import type { ShipmentEventKind } from '@isotherm/contract/shipments.ts'
import { isReplaced } from './events.ts'
import type { Shipped, ShippedLeg, Stretch } from './shipped.ts'

/** Milestones after which the goods are on their way, and those after which they stand. Others change nothing. */
const moves: Partial<Record<ShipmentEventKind, boolean>> = {
  ...{ departed: true, fullOut: true },
  ...{ gateIn: false, arrived: false, discharged: false, delivered: false },
  ...{ airReceivedOnHand: false, airAccepted: false, airReceivedFlight: false },
}

type Journey = Pick<Shipped, 'startedAt' | 'endedAt' | 'legs' | 'events'>

/** The instants at which the goods began to move or to stand, by the milestones that stand. */
function changesOf(shipped: Journey): { at: Date; isMoving: boolean }[] {
  const isOfJourney = (legId: string | null) => legId === null || shipped.legs.some(({ id }) => id === legId)
  return shipped.events
    .flatMap(({ id, legId, kind, occurredAt: at }) => {
      const isMoving = moves[kind]
      return isMoving === undefined || !isOfJourney(legId) || isReplaced(shipped, id) ? [] : [{ at, isMoving }]
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}

/**
 * The time of a shipment divided among its legs: each begins at its departure, the first one at the start. A leg that nobody saw depart has none.
 * The last one ends with the shipment, or, while it goes on, with the last whole day of UTC. The time of a leg is divided where the goods
 * begin to move or to stand.
 */
export function stretchesOf(shipped: Journey, now: Date): Stretch[] {
  const { startedAt, endedAt } = shipped
  if (!startedAt) return []
  const end = endedAt ?? new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  const begun = begunLegs(shipped, startedAt)
  const changes = changesOf(shipped)
  return begun.flatMap(({ leg, from }, index) => {
    const to = earlier(begun[index + 1]?.from ?? end, end)
    const cuts = changes.map(({ at }) => at).filter((at) => at > from && at < to)
    const pieces = [from, ...cuts].map((at, place): Stretch => {
      const isMoving = changes.findLast((change) => change.at <= at)?.isMoving ?? false
      return { legId: leg.id, isMoving, from: at, to: cuts[place] ?? to }
    })
    return joined(pieces.filter((piece) => piece.to > piece.from))
  })
}

/** Neighbours in which the goods do the same are one. */
function joined(pieces: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const piece of pieces) {
    const before = all.at(-1)
    if (before?.isMoving === piece.isMoving) all[all.length - 1] = { ...before, to: piece.to }
    else all.push(piece)
  }
  return all
}

const begunLegs = ({ legs }: Pick<Shipped, 'legs'>, startedAt: Date | null) =>
  legs.flatMap((leg, index) => {
    const from = index === 0 ? startedAt : leg.atd
    return from ? [{ leg, from }] : []
  })

/** The leg that the goods are on at an instant. */
export const legAt = (shipped: Pick<Shipped, 'startedAt' | 'legs'>, at: Date): ShippedLeg | undefined =>
  begunLegs(shipped, shipped.startedAt).findLast(({ from }) => from <= at)?.leg

const dayMs = 86_400_000
export const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
