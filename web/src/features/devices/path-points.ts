import type { DevicePath, Judgement } from '@isotherm/contract/devices.ts'
import type { MarkerState } from '../../map/marker-data.ts'
import type { MapPath, PathPoint } from '../../map/path-data.ts'

const states: Record<Judgement, MarkerState> = { inRange: 'ok', above: 'warm', below: 'cold' }

/**
 * The path as the map draws it. The map joins points up to `gapMs` apart, while the server cuts where the device was
 * silent: `gapMs` is the longest step inside a piece, for thinning makes steps longer than silences of before.
 */
export function pathOf(path: DevicePath): MapPath {
  const points: PathPoint[] = []
  let longest = 0
  for (const segment of path.segments) {
    let before: number | null = null
    for (const fix of segment) {
      const at = Date.parse(fix.at)
      if (before !== null) longest = Math.max(longest, at - before)
      points.push({ at, lat: fix.lat, lon: fix.lon, ...(fix.temperature ? { state: states[fix.temperature] } : {}) })
      before = at
    }
  }
  return { points, gapMs: longest }
}
