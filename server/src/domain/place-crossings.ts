import type { Fence } from './alarm-conditions.ts'
import type { FenceStep } from './alarm-fence.ts'

/** A place that people want to hear of when devices cross its border. */
export interface WatchedPlace {
  fence: Fence
  in: boolean
  out: boolean
  /** Crossings before it (ms since 1970) are not told. */
  from: number
}

/** A device came into a place or went out of it, ms since 1970. */
export interface Crossing {
  place: WatchedPlace
  direction: 'in' | 'out'
  at: number
}

/** What a step over a place's border says, in the order of time. */
export function crossingsOf(place: WatchedPlace, { side, crossedAt, through }: FenceStep): Crossing[] {
  if (crossedAt !== null) return [{ place, direction: side.side, at: crossedAt }]
  if (!through) return []
  return [
    { place, direction: 'in', at: through.from },
    { place, direction: 'out', at: through.to },
  ]
}

/** Whether people want to hear of it. */
export const isWanted = ({ place, direction, at }: Crossing): boolean => place[direction] && at >= place.from

/** A crossing that is on record. */
export interface KnownCrossing {
  fence: string
  direction: 'in' | 'out'
  at: number
}

/**
 * Of the crossings that judging a device's past again has found, in the order of time, those that are not on record. One on
 * record is the same where the device had not crossed back in between: late fixes only say more exactly when it was.
 * `from`: since when the past was judged again.
 */
export function newCrossings(found: readonly Crossing[], known: readonly KnownCrossing[], from: number): Crossing[] {
  const left = new Set(known)
  return found.filter((crossing) => {
    const { place, direction, at } = crossing
    const turns = found.filter((one) => one.place.fence.key === place.fence.key && one.direction !== direction)
    const after = turns.findLast((one) => one.at <= at)?.at ?? from
    const before = turns.find((one) => one.at > at)?.at ?? Number.POSITIVE_INFINITY
    const same = [...left].find(
      (one) => one.fence === place.fence.key && one.direction === direction && one.at >= after && one.at <= before,
    )
    if (same) left.delete(same)
    return !same
  })
}
