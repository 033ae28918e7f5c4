import type { FenceArea } from '@isotherm/contract/places.ts'
import type { Fix } from './alarm-fence.ts'
import { crossingsOf } from './stop-visits.ts'

/** Fixes are looked at for so long before a vehicle starts. */
export const gateInMs = 12 * 3_600_000
/** One that was at the place when the look begins was parked there: nobody knows since when it waits. */
const parkedMs = 3_600_000

/**
 * The first fix of the stay at a place that lasts when a vehicle starts, by its devices; null where they were not there then, or have been there since
 * before anybody looked. Fixes from `gateInMs` before the start on, by device and in order.
 */
export function gateIn(area: FenceArea, devices: Iterable<readonly Fix[]>, startedAt: number): number | null {
  const entries = [...devices].flatMap((fixes) => {
    const last = crossingsOf(area, fixes).findLast(
      ({ side, at }) => at < startedAt || (side === 'in' && at === startedAt),
    )
    return last?.side === 'in' && last.at > startedAt - gateInMs + parkedMs ? [last.at] : []
  })
  return entries.length > 0 ? Math.min(...entries) : null
}
