import { withoutJumps } from '../../domain/path.ts'
import { hourMs } from '../../domain/rollup.ts'
import { type Rules, ruleAt } from '../../domain/rules.ts'
import type { FixRow, MaybeFixRow, Silence } from './path-queries.ts'

const holdAt = (rules: Rules, at: number) => ruleAt(rules.temperature, at).holdMs

/** The fixes among readings, cut where the device was silent for more than 3 intervals; without a fix is not silent. */
export function cutReadings(readings: readonly MaybeFixRow[], rules: Rules): FixRow[][] {
  const segments: FixRow[][] = []
  let before: number | undefined
  let open = false
  for (const reading of readings) {
    if (before !== undefined && reading.at - before > holdAt(rules, before)) open = false
    before = reading.at
    const { lat, lon } = reading
    if (lat === null || lon === null) continue
    if (!open) segments.push([])
    open = true
    segments.at(-1)?.push({ ...reading, lat, lon })
  }
  return segments
}

// Airliners carry trackers too, and are slower.
const fastestMs = 1_200 / 3.6

/** The segments without fixes that nothing could have reached: errors of positioning. */
export function believable(segments: readonly FixRow[][]): FixRow[][] {
  const fixes = segments.flat().map(({ at, lat, lon }) => ({ at, lat: lat / 1e7, lon: lon / 1e7, accuracyM: 0 }))
  const kept = new Set(withoutJumps(fixes, fastestMs).map(({ at }) => at))
  return segments.map((segment) => segment.filter(({ at }) => kept.has(at))).filter((segment) => segment.length > 0)
}

/** Sampled fixes, cut where a silence of more than 3 intervals fits between two. */
export function cutSamples(fixes: readonly FixRow[], silences: readonly Silence[], rules: Rules): FixRow[][] {
  const segments: FixRow[][] = []
  let next = 0
  let before: FixRow | undefined
  for (const fix of fixes) {
    // A silence that began before the last fix can no longer lie ahead of it.
    while (before && next < silences.length && (silences[next]?.hour ?? 0) + hourMs <= before.at) next++
    if (before && !isCut(before, fix, silences, next, rules)) segments.at(-1)?.push(fix)
    else segments.push([fix])
    before = fix
  }
  return segments
}

function isCut(from: FixRow, to: FixRow, silences: readonly Silence[], first: number, rules: Rules): boolean {
  for (let i = first; i < silences.length; i++) {
    const silence = silences[i]
    if (!silence || silence.hour >= to.at) return false
    const earliestEnd = Math.max(silence.hour, from.at) + silence.lengthMs
    if (silence.lengthMs > holdAt(rules, silence.hour) && earliestEnd <= to.at) return true
  }
  return false
}
