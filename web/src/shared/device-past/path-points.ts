import type { DevicePath } from '@isotherm/contract/device-history.ts'
import type { Judgement } from '@isotherm/contract/device-limits.ts'
import type { MarkerState } from '../../map/marker-data.ts'
import type { MapPath, PathPoint } from '../../map/path-data.ts'

const states: Record<Judgement, MarkerState> = { inRange: 'ok', above: 'warm', below: 'cold' }

/** The path as the map draws it. The server cuts where the device was silent: nothing is known of the way across. */
export function pathOf(path: DevicePath): MapPath {
  const points: PathPoint[] = path.segments.flatMap((segment, piece) =>
    segment.map((fix, i) => ({
      at: Date.parse(fix.at),
      lat: fix.lat,
      lon: fix.lon,
      ...(fix.temperature ? { state: states[fix.temperature] } : {}),
      ...(piece > 0 && i === 0 ? { afterGap: true } : {}),
    })),
  )
  return { points }
}
