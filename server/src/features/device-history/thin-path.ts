/** A fix in time and place: ms since 1970, degrees times 1e7. */
export interface Fix {
  at: number
  lat: number
  lon: number
}

const metresPerE7 = 0.011132

/** How far the fix is from where a device moving evenly from `a` to `b` would have been at its time, in metres. */
function offTrack(fix: Fix, a: Fix, b: Fix): number {
  const part = b.at === a.at ? 0 : (fix.at - a.at) / (b.at - a.at)
  const squeeze = Math.cos((fix.lat / 1e7) * (Math.PI / 180))
  const x = shortWay(fix.lon - (a.lon + shortWay(b.lon - a.lon) * part)) * squeeze
  return Math.hypot(x, fix.lat - (a.lat + (b.lat - a.lat) * part)) * metresPerE7
}

/** A difference of longitudes, the short way round the date line. */
const shortWay = (difference: number): number =>
  difference > 1.8e9 ? difference - 3.6e9 : difference < -1.8e9 ? difference + 3.6e9 : difference

/**
 * For every fix how much it matters: the tolerance in metres at which it would be left out (Douglas-Peucker on the
 * synchronised distance, so that stops and speeds survive, not only shapes). The ends matter without bound.
 */
function weights(fixes: readonly Fix[]): Float64Array {
  const weight = new Float64Array(fixes.length)
  const last = fixes.length - 1
  weight[0] = weight[last] = Number.POSITIVE_INFINITY
  const spans: [number, number, number][] = [[0, last, Number.POSITIVE_INFINITY]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [start, end, bound] = span
    const a = fixes[start]
    const b = fixes[end]
    if (!a || !b || end - start < 2) continue
    let farthest = start + 1
    let distance = -1
    for (let i = start + 1; i < end; i++) {
      const fix = fixes[i]
      const off = fix ? offTrack(fix, a, b) : 0
      if (off > distance) {
        farthest = i
        distance = off
      }
    }
    // A part never matters more than the fix that split it off.
    const own = Math.min(distance, bound)
    weight[farthest] = own
    spans.push([start, farthest, own], [farthest, end, own])
  }
  return weight
}

// Less than satellite positioning is off by in a street: such a fix says nothing.
const jitterM = 15

/** The at most `most` fixes of the segments that matter most (but both ends of each), and none that is only jitter. */
export function thin<T extends Fix>(segments: readonly T[][], most: number): T[][] {
  const weighed = segments.map((fixes) => ({ fixes, weight: weights(fixes) }))
  const inner = weighed.flatMap(({ weight }) =>
    [...weight].filter((value) => value > jitterM && value < Number.POSITIVE_INFINITY),
  )
  const ends = weighed.reduce((sum, { fixes }) => sum + Math.min(fixes.length, 2), 0)
  const room = Math.max(0, most - ends)
  const tolerance = inner.length <= room ? jitterM : (inner.sort((a, b) => b - a)[room] ?? jitterM)
  return weighed.map(({ fixes, weight }) => fixes.filter((_, index) => (weight[index] ?? 0) > tolerance))
}
