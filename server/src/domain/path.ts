import { distanceM, radians, shortWay } from './sphere.ts'

/** A raw fix: instant in ms, degrees; within how many metres it is right, 0 where that is not known. */
export interface RawFix {
  at: number
  lat: number
  lon: number
  accuracyM: number
}
export interface PathFix {
  at: number
  lat: number
  lon: number
}
/** It stayed in one place; `lat` and `lon` are the middle of its fixes. */
export interface Stop {
  from: number
  to: number
  lat: number
  lon: number
  fixes: number
}
export interface CleanPath {
  path: PathFix[]
  stops: Stop[]
  removed: { jumps: number; jitter: number; simplified: number }
  lengthM: number
}

// Positioning under a roof scatters this far, and who stands this long has stopped.
const stopRadiusM = 60
const stopLeastMs = 5 * 60_000

/**
 * The path behind raw fixes: fixes that nothing could have reached are left out, what scatters around a place becomes a
 * stop, the rest is thinned to `toleranceM` (Douglas-Peucker). Input in any order. Yields between pieces of its work, so that
 * whoever runs it may do something else in between.
 */
export function* cleaning(
  raw: readonly RawFix[],
  options: { toleranceM: number; maxSpeedKmh: number },
): Generator<undefined, CleanPath> {
  const ordered = inOrder(raw)
  const real = withoutJumps(ordered, options.maxSpeedKmh / 3.6)
  yield
  const { pieces, stops, jitter } = yield* findStops(real)
  const path: PathFix[] = []
  for (const { isStop, fixes } of pieces)
    for (const fix of isStop ? fixes : yield* simplify(fixes, options.toleranceM)) path.push(fix)
  const before = pieces.reduce((sum, piece) => sum + piece.fixes.length, 0)
  return {
    path,
    stops,
    removed: {
      jumps: ordered.length - real.length,
      jitter: raw.length - ordered.length + jitter,
      simplified: before - path.length,
    },
    lengthM: path.reduce((sum, fix, i) => sum + (i === 0 ? 0 : distanceM(path[i - 1] ?? fix, fix)), 0),
  }
}

/** Ascending in time; of several at one instant the most accurate. */
function inOrder(raw: readonly RawFix[]): RawFix[] {
  const sorted = raw.toSorted((a, b) => a.at - b.at || a.accuracyM - b.accuracyM)
  return sorted.filter((fix, i) => fix.at !== sorted[i - 1]?.at)
}

/** Whether it could have come from one fix to the other in time, as far as the fixes are right. */
function reachable(from: RawFix, to: RawFix, speedMs: number): boolean {
  const far = distanceM(from, to) - from.accuracyM - to.accuracyM
  return far <= Math.max(stopRadiusM, speedMs * ((to.at - from.at) / 1000))
}

// How many runs back a run may continue: more than this many errors in a row is no path any more.
const lookBack = 60

/**
 * The fixes of the most believable story: cut where no speed allows the next fix, then the chain of runs with the most
 * fixes, so that one wrong fix never condemns the right ones after it. Exactly 0, 0 is how trackers say 'no fix'.
 */
export function withoutJumps<F extends RawFix>(fixes: readonly F[], speedMs: number): F[] {
  const runs: F[][] = []
  for (const fix of fixes) {
    if (fix.lat === 0 && fix.lon === 0) continue
    const last = runs.at(-1)?.at(-1)
    if (last && reachable(last, fix, speedMs)) runs.at(-1)?.push(fix)
    else runs.push([fix])
  }
  const chains: { size: number; before: number }[] = []
  runs.forEach((run, i) => {
    let best = { size: run.length, before: -1 }
    for (let j = i - 1; j >= Math.max(0, i - lookBack); j--) {
      const size = (chains[j]?.size ?? 0) + run.length
      const [end, start] = [runs[j]?.at(-1), run[0]]
      if (size > best.size && end && start && reachable(end, start, speedMs)) best = { size, before: j }
    }
    chains.push(best)
  })
  let at = chains.reduce((best, chain, i) => (chain.size > (chains[best]?.size ?? 0) ? i : best), 0)
  const kept: F[][] = []
  while (at >= 0 && runs[at]) {
    kept.push(runs[at] ?? [])
    at = chains[at]?.before ?? -1
  }
  return kept.reverse().flat()
}

interface Piece {
  isStop: boolean
  fixes: PathFix[]
}

// More fixes than this within the time that makes a stop (two a second) are not tried as its beginning one by one.
const denseRun = 600

/** The fixes as moves and stops; of a stop only its middle remains, at its first and its last instant. */
function* findStops(
  fixes: readonly RawFix[],
): Generator<undefined, { pieces: Piece[]; stops: Stop[]; jitter: number }> {
  const pieces: Piece[] = []
  const stops: Stop[] = []
  let jitter = 0
  let moving: PathFix[] = []
  for (let i = 0; i < fixes.length; ) {
    const { end, stop, strays } = stopFrom(fixes, i)
    yield
    if (!stop) {
      const next = end - i > denseRun ? i + Math.ceil((end - i) / 16) : i + 1
      for (const { at, lat, lon } of fixes.slice(i, next)) moving.push({ at, lat, lon })
      i = next
      continue
    }
    if (moving.length > 0) pieces.push({ isStop: false, fixes: moving })
    moving = []
    stops.push(stop)
    const { lat, lon } = stop
    pieces.push({
      isStop: true,
      fixes: [
        { at: stop.from, lat, lon },
        { at: stop.to, lat, lon },
      ],
    })
    jitter += stop.fixes - 2 + strays
    i = end
  }
  if (moving.length > 0) pieces.push({ isStop: false, fixes: moving })
  return { pieces, stops, jitter }
}

/**
 * The longest stop that begins with fix `start`; a single fix that strays and is back with the next one does not end it. `end` is
 * the first fix after those that are near it, whether or not they make a stop.
 */
function stopFrom(fixes: readonly RawFix[], start: number): { end: number; stop: Stop | null; strays: number } {
  const first = fixes[start]
  if (!first || (fixes.at(-1) ?? first).at - first.at < stopLeastMs) return { end: start + 1, stop: null, strays: 0 }
  let [count, strays, end, last] = [1, 0, start + 1, first]
  // The middle moves with every fix; longitudes relative to the first, so that the date line does not matter.
  let [lat, lon] = [first.lat, 0]
  const isNear = (fix: RawFix | undefined) =>
    fix !== undefined && distanceM({ lat, lon: first.lon + lon }, fix) <= stopRadiusM
  while (end < fixes.length) {
    let fix = fixes[end]
    if (!isNear(fix)) {
      fix = fixes[end + 1]
      if (!isNear(fix)) break
      strays += 1
      end += 1
    }
    if (!fix) break
    count += 1
    lat += (fix.lat - lat) / count
    lon += (shortWay(fix.lon - first.lon) - lon) / count
    last = fix
    end += 1
  }
  if (count < 2 || last.at - first.at < stopLeastMs) return { end, stop: null, strays: 0 }
  const stop = { from: first.at, to: last.at, lat, lon: shortWay(first.lon + lon), fixes: count }
  return { end, stop, strays }
}

/** Douglas-Peucker: what lies nearer than the tolerance to the line of its neighbours says nothing. */
function* simplify(fixes: readonly PathFix[], toleranceM: number): Generator<undefined, PathFix[]> {
  const keep = new Set([0, fixes.length - 1])
  const spans: [number, number][] = [[0, fixes.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    yield
    const [start, end] = span
    const [a, b] = [fixes[start], fixes[end]]
    if (!a || !b || end - start < 2) continue
    let [farthest, most] = [-1, toleranceM]
    for (let i = start + 1; i < end; i++) {
      const fix = fixes[i]
      const off = fix ? offLineM(fix, a, b) : 0
      if (off > most) [farthest, most] = [i, off]
    }
    if (farthest < 0) continue
    keep.add(farthest)
    spans.push([start, farthest], [farthest, end])
  }
  return fixes.filter((_, i) => keep.has(i))
}

const metresPerDegree = 111_195

/** How far a fix lies from the stretch a-b, metres, on the plane around the fix. */
function offLineM(fix: PathFix, a: PathFix, b: PathFix): number {
  const narrow = Math.cos(radians(fix.lat))
  const [ax, ay] = [shortWay(a.lon - fix.lon) * narrow, a.lat - fix.lat]
  const [dx, dy] = [shortWay(b.lon - a.lon) * narrow, b.lat - a.lat]
  const length = dx * dx + dy * dy
  const share = length > 0 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length)) : 0
  return Math.hypot(ax + dx * share, ay + dy * share) * metresPerDegree
}
