import type { Fence } from './alarm-conditions.ts'
import type { FenceStep } from './alarm-fence.ts'
import { firstAfter } from './first-after.ts'

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

/** The crossings of a step over a place's border, in the order of time. */
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
 * Finds, among the crossings of a replay (in the order of time), those that are not on record. One on
 * record is the same where the device had not crossed back in between: late fixes only say more exactly when it was.
 * `from`: since when the past was judged again.
 */
export function newCrossings(found: readonly Crossing[], known: readonly KnownCrossing[], from: number): Crossing[] {
  const times = Map.groupBy(found, ({ place, direction }) => `${direction} ${place.fence.key}`)
  const left = Map.groupBy(known, ({ fence, direction }) => `${direction} ${fence}`)
  return found.filter(({ place, direction, at }) => {
    const turns = times.get(`${direction === 'in' ? 'out' : 'in'} ${place.fence.key}`) ?? []
    const next = firstAfter(turns, at)
    const after = turns[next - 1]?.at ?? from
    const before = turns[next]?.at ?? Number.POSITIVE_INFINITY
    const own = left.get(`${direction} ${place.fence.key}`) ?? []
    const same = own.findIndex((one) => one.at >= after && one.at <= before)
    if (same >= 0) own.splice(same, 1)
    return same < 0
  })
}
