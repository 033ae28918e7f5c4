import type { FenceArea, LatLon } from '@isotherm/contract/places.ts'
import { type Fix, sideOfFence } from './alarm-fence.ts'

/** A fix of one device, with the light that it measured. */
export interface LitFix extends Fix {
  lightLux: number | null
}

/** A device that came to a place or left it. */
export interface Crossing {
  side: 'in' | 'out'
  at: number
}

/**
 * The crossings of a device into a place and out of it, by its fixes in order. One fix alone may be jitter: two in a row say so, and the first
 * of them says when. Those whose uncertainty reaches over the border say nothing. A device that was never inside does not leave.
 */
export function crossingsOf(area: FenceArea, fixes: readonly Fix[]): Crossing[] {
  const crossings: Crossing[] = []
  let before: { side: 'in' | 'out'; at: number } | undefined
  let now: 'in' | 'out' | undefined
  for (const fix of fixes) {
    const side = sideOfFence(area, fix)
    if (side === null) continue
    if (before?.side === side && now !== side) {
      if (side === 'in' || now === 'in') crossings.push({ side, at: before.at })
      now = side
    }
    before = before?.side === side ? before : { side, at: fix.at }
  }
  return crossings
}

/** A stop of an order, with the visit that is known of it. */
export interface WatchedStop {
  id: string
  area: FenceArea
  /** Fixes of before tell of an earlier try. */
  since: number
  arrivedAt: number | null
  departedAt: number | null
  /** The instants of these two that a fence told: a fix of before, which comes late, moves them. */
  byFence: readonly ('arrived' | 'departed')[]
}

export interface WatchedOrder {
  pickup: FenceArea
  /** Fixes of before say nothing of this order. */
  since: number
  leftPickupAt: number | null
  stops: readonly WatchedStop[]
}

export type Happening =
  | { kind: 'leftPickup'; at: number }
  | { kind: 'arrived' | 'departed'; receiverId: string; at: number; moves?: true }
  | { kind: 'doorOpened'; deviceId: number; at: number; place: LatLon }

/** The first crossing of any device to a side of a place, from an instant on; null: none. */
function first(area: FenceArea, devices: Iterable<readonly Fix[]>, side: 'in' | 'out', since: number): number | null {
  let earliest: number | null = null
  for (const fixes of devices)
    for (const crossing of crossingsOf(area, fixes))
      if (crossing.side === side && crossing.at >= since && (earliest === null || crossing.at < earliest))
        earliest = crossing.at
  return earliest
}

/**
 * Everything that the fixes of an order's devices tell and that is not known yet, in the order in which it happened. Where a fence told of a
 * visit, and fixes that came late tell that it was before, it moves.
 */
export function happeningsOf(order: WatchedOrder, devices: ReadonlyMap<number, readonly LitFix[]>): Happening[] {
  const found: Happening[] = []
  if (order.leftPickupAt === null) {
    const at = first(order.pickup, devices.values(), 'out', order.since)
    if (at !== null) found.push({ kind: 'leftPickup', at })
  }
  for (const { id: receiverId, area, since, byFence, ...known } of order.stops) {
    const fixes = () => [...devices.values()].map((all) => all.filter(({ at }) => at >= since))
    let after = since
    for (const [kind, side, at] of [
      ['arrived', 'in', known.arrivedAt],
      ['departed', 'out', known.departedAt],
    ] as const) {
      const told = at === null || byFence.includes(kind) ? first(area, fixes(), side, after) : null
      const isNew = told !== null && (at === null || told < at)
      if (isNew) found.push({ kind, receiverId, at: told, ...(at !== null && { moves: true }) })
      const now = isNew ? told : at
      if (now === null) break
      after = now
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

/** Light from a lamp or the day; and so little that a door is shut. */
const litLux = 50
const darkLux = 10

/** When doors were opened away from any stop, by the light in the dark of the load; from an instant on. */
export function doorsOpened(
  places: readonly FenceArea[],
  devices: ReadonlyMap<number, readonly LitFix[]>,
  since: number,
): Happening[] {
  const found: Happening[] = []
  for (const [deviceId, fixes] of devices) {
    let isDark = false
    for (const fix of fixes) {
      if (fix.lightLux === null) continue
      const isOpened = isDark && fix.lightLux >= litLux && fix.at > since
      if (isOpened && places.every((area) => sideOfFence(area, fix) === 'out'))
        found.push({ kind: 'doorOpened', deviceId, at: fix.at, place: { lat: fix.lat, lon: fix.lon } })
      if (fix.lightLux >= litLux) isDark = false
      else if (fix.lightLux <= darkLux) isDark = true
    }
  }
  return found
}
