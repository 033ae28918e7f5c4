import { joinHours, type ProbeHour, type ProbeReading } from '../../server/src/domain/cold-hours.ts'
import { protocolOf } from '../../server/src/domain/cold-protocols.ts'
import { coldTreatmentClock } from '../../server/src/domain/cold-treatment.ts'

/*
 * A season of cold treatments: containers of 12 probes that measure every 10 minutes for 24 days, with gaps, warm hours and batches that come
 * late and in any order. Clocks of hours that were joined batch by batch must be those of all readings at once. Fails where one differs.
 *
 *   npm run bench -- cold [--containers 500]
 */

const args = process.argv.slice(2)
const containers = Number(args[args.indexOf('--containers') + 1]) || 500
const [probes, days, minuteMs, hourMs] = [12, 24, 60_000, 3_600_000]
const perProbe = days * 24 * 6
const until = days * 24 * hourMs
const found = protocolOf('us-t107-a')
if (!found) throw new Error('no protocol')
const protocol = found

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function readingsOf(next: () => number): ProbeReading[] {
  const gapAt = next() < 0.1 ? Math.floor(next() * perProbe) : perProbe
  const gapOf = 6 + Math.floor(next() * 40)
  const warmAt = next() < 0.05 ? Math.floor(next() * perProbe) : -1
  const all: ProbeReading[] = []
  for (let n = 0; n < perProbe; n += 1) {
    if (n >= gapAt && n < gapAt + gapOf) continue
    const isWarm = warmAt >= 0 && n >= warmAt && n < warmAt + 6
    all.push({ at: n * 10 * minuteMs, celsius: Math.round(70 + 40 * next() + (isWarm ? 90 : 0)) })
  }
  return all
}

/** Batches of two hours; each third one comes at the end, and they backwards. */
function batchesOf(readings: readonly ProbeReading[]): ProbeReading[][] {
  const batches: ProbeReading[][] = []
  for (let first = 0; first < readings.length; first += 12) batches.push(readings.slice(first, first + 12))
  const isLate = (_: ProbeReading[], index: number) => index % 3 === 2
  return [...batches.filter((one, index) => !isLate(one, index)), ...batches.filter(isLate).reverse()]
}

/** As the database keeps hours: those of a batch are read, joined and written. */
function keep(kept: Map<number, ProbeHour>, batch: readonly ProbeReading[]) {
  const touched = new Set(batch.map(({ at }) => Math.floor(at / hourMs) * hourMs))
  const known = [...touched].flatMap((hour) => kept.get(hour) ?? [])
  for (const one of joinHours(known, batch)) kept.set(one.hour, one)
}

let [differing, whole, clocks, worst] = [0, 0, 0, 0]
const states = new Map<string, number>()
for (let container = 0; container < containers; container += 1) {
  const next = numbers(container + 1)
  const all = Array.from({ length: probes }, () => readingsOf(next))
  const begun = performance.now()
  const atOnce = all.map((readings, id) => ({ id, offsetC: 0, joinedAt: null, hours: joinHours([], readings) }))
  const expected = coldTreatmentClock(protocol, atOnce, { until, verified: [] })
  whole += performance.now() - begun
  const inBatches = all.map((readings, id) => {
    const kept = new Map<number, ProbeHour>()
    for (const batch of batchesOf(readings)) keep(kept, batch)
    return { id, offsetC: 0, joinedAt: null, hours: [...kept.values()].sort((a, b) => a.hour - b.hour) }
  })
  const started = performance.now()
  const clock = coldTreatmentClock(protocol, inBatches, { until, verified: [] })
  const took = performance.now() - started
  clocks += took
  worst = Math.max(worst, took)
  if (JSON.stringify(clock) !== JSON.stringify(expected)) differing += 1
  const name = `${clock.state}, ${clock.chosen.row.days} days`
  states.set(name, (states.get(name) ?? 0) + 1)
}
const percent = (share: number) => `${(100 * share).toFixed(1)} %`
console.log(`${containers} containers, ${probes} probes, ${days} days, ${perProbe} readings a probe`)
for (const [name, n] of states) console.log(`  ${name}: ${percent(n / containers)}`)
console.log(`clocks that differ from a recomputation: ${differing}`)
console.log(
  `a clock from kept hours takes ${percent(clocks / whole)} of one from all readings; mean ${(clocks / containers).toFixed(2)} ms, worst ${worst.toFixed(1)} ms`,
)
if (differing > 0) process.exit(1)
