import { localTime } from './physics/habits.ts'
import { daySeconds, type Span } from './physics/scene.ts'
import { hashKey, randomOf, uniformAt } from './random.ts'
import { parcelWeek, weekIndex } from './routes/parcel-trip.ts'
import { roundIndex, roundOf } from './routes/voyage.ts'
import type { TrackerSpec } from './spec.ts'

/** When a tracker cannot reach the network. It goes on measuring and sends what it kept, in order, once it is back. */

const habit: Record<TrackerSpec['world']['kind'], { perDay: number; meanMin: number; fromH: number; toH: number }> = {
  fixed: { perDay: 0.22, meanMin: 45, fromH: 0, toH: 24 },
  van: { perDay: 1.6, meanMin: 28, fromH: 6, toH: 18 },
  'cold-box': { perDay: 2.2, meanMin: 65, fromH: 8, toH: 17 },
  container: { perDay: 0.2, meanMin: 40, fromH: 0, toH: 24 },
  parcel: { perDay: 0.2, meanMin: 20, fromH: 0, toH: 24 },
}

/** Stretches without network that touch an instant's day or the days beside it, joined where they overlap. */
function outagesAround(spec: TrackerSpec, day: number): Span[] {
  const spans: Span[] = []
  for (let d = day - 2; d <= day + 2; d++) spans.push(...radioGaps(spec, d))
  if (spec.world.kind === 'container') spans.push(...seaGaps(spec, day))
  if (spec.world.kind === 'parcel') {
    const weeks = new Set([day - 2, day, day + 2].map((d) => weekIndex(d * daySeconds)))
    for (const week of weeks) spans.push(...parcelWeek(spec.seed, week).silent)
  }
  return joined(spans)
}

function radioGaps(spec: TrackerSpec, day: number): Span[] {
  const random = randomOf(spec.seed, spec.imei, 'radio', day)
  const { perDay, meanMin, fromH, toH } = habit[spec.world.kind]
  const spans: Span[] = []
  for (let i = 0; i < 5; i++) {
    if (!random.chance(perDay / 5)) continue
    const from = localTime(spec, day, random.between(fromH, toH))
    spans.push({ from, to: from + Math.min(5 * 3600, Math.max(6 * 60, random.exponential(meanMin * 60))) })
  }
  return spans
}

/** Off the coast there is only a satellite, and the ship's terminal loses it for an hour or four, several times a day. */
function seaGaps(spec: TrackerSpec, day: number): Span[] {
  const spans: Span[] = []
  for (const index of new Set([day - 1, day + 1].map((d) => roundIndex(d * daySeconds)))) {
    for (const sailing of roundOf(spec.seed, index).sailings) {
      const random = randomOf(spec.seed, spec.imei, 'satellite', Math.round(sailing.departs))
      for (let at = sailing.departs + 4 * 3600; at < sailing.arrives - 5 * 3600; ) {
        const to = at + random.between(0.6, 4) * 3600
        spans.push({ from: at, to: Math.min(to, sailing.arrives - 2 * 3600) })
        at = to + random.between(2, 7) * 3600
      }
    }
  }
  return spans
}

function joined(spans: Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = result[result.length - 1]
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else result.push({ ...span })
  }
  return result
}

export type Link = {
  /** The outage an instant lies in, or null when the tracker is connected. Epoch seconds. */
  outageAt: (at: number) => Span | null
  /** Whether the answer to a report at this instant gets lost, so that the tracker sends the same readings again. */
  answerLostAt: (at: number) => boolean
}

/** The network as one tracker has it: a function of (seed, tracker, instant) alone. */
export function linkOf(spec: TrackerSpec): Link {
  const days = new Map<number, Span[]>()
  const key = hashKey(spec.seed, spec.imei, 'answers')
  const around = (day: number) => {
    const known = days.get(day) ?? outagesAround(spec, day)
    if (days.size > 6) days.clear()
    days.set(day, known)
    return known
  }
  return {
    outageAt: (at) => around(Math.floor(at / daySeconds)).find((span) => at >= span.from && at < span.to) ?? null,
    answerLostAt: (at) => uniformAt(key, at, 1) < 0.004,
  }
}
