import { lookBackMs } from '../../server/src/domain/time-to-breach.ts'
import { type Method, methods } from './methods.ts'
import { type BenchSeries, machineRoom, simulated } from './series.ts'

/*
 * How good the forecasts of a breach are, at every reading of series that no figure of the method was chosen by: simulated
 * trackers of other seeds, and a real machine room. A forecast is true where the limit is left, on that side, within the
 * band's end or twice the estimate and an hour; error and coverage are of true ones. Of the others, those with more
 * than an hour between them count as one false forecast each; many are breaches somebody averted by closing a door.
 *
 *   npm run bench -- time-to-breach [--seeds 2] [--by-kind]
 */

const args = process.argv.slice(2)
const seeds = Array.from({ length: Number(args[args.indexOf('--seeds') + 1]) || 2 }, (_, i) => `held-out-${i + 1}`)
const minuteMs = 60_000

interface Score {
  forecasts: number
  errors: number[]
  /** Errors of forecasts at least 10 minutes ahead, as shares of the true time. */
  far: number[]
  covered: number
  falseOnes: number
  days: number
  breaches: number
  warned: number
}
const fresh = (): Score => ({
  forecasts: 0,
  errors: [],
  far: [],
  covered: 0,
  falseOnes: 0,
  days: 0,
  breaches: 0,
  warned: 0,
})

const sideOf = ({ limits: { min, max } }: BenchSeries, value: number) =>
  max !== null && value > max ? 'above' : min !== null && value < min ? 'below' : null

function score(series: BenchSeries, method: Method, total: Score) {
  const { points, limits } = series
  const sides = points.map((point) => sideOf(series, point.value))
  const next = breachesAfter(sides)
  let [from, lastFalse, warnedAt] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  total.days += ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)) / 86_400_000
  for (const [i, { at }] of points.entries()) {
    if (sides[i] && !sides[i - 1]) {
      total.breaches++
      if (at - warnedAt <= 30 * minuteMs + 8 * limits.intervalMs) total.warned++
    }
    if (sides[i]) continue
    while ((points[from]?.at ?? at) < at - lookBackMs(limits.intervalMs)) from++
    const heading = method(points.slice(from, i + 1), limits, at)
    if (heading.state !== 'heading') continue
    total.forecasts++
    warnedAt = at
    const breach = next[i]
    const isTrueSide = breach !== null && breach !== undefined && sides[breach] === heading.side
    const actual = isTrueSide ? ((points[breach]?.at ?? 0) - at) / minuteMs : Number.POSITIVE_INFINITY
    if (actual > Math.max(heading.high, 2 * heading.minutes) + 60) {
      if (at - lastFalse > 60 * minuteMs) total.falseOnes++
      lastFalse = at
      continue
    }
    total.errors.push(Math.abs(actual - heading.minutes))
    if (actual >= 10) total.far.push(Math.abs(actual - heading.minutes) / actual)
    if (actual >= heading.low - 1e-9 && actual <= heading.high + 1e-9) total.covered++
  }
}

/** For each place, that of the next reading outside, whichever side. */
function breachesAfter(sides: readonly (string | null)[]): (number | null)[] {
  const next: (number | null)[] = []
  let known: number | null = null
  for (let i = sides.length - 1; i >= 0; i--) {
    next[i] = known
    if (sides[i]) known = i
  }
  return next
}

const part = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]

const line = (total: Score) => ({
  'device-days': Math.round(total.days),
  forecasts: total.forecasts,
  'came true %': Math.round((100 * total.errors.length) / total.forecasts),
  'error median min': Number(part(total.errors, 0.5)?.toFixed(1)),
  'error p90 min': Number(part(total.errors, 0.9)?.toFixed(1)),
  'over 10 min ahead: median %': Math.round(100 * (part(total.far, 0.5) ?? Number.NaN)),
  'band covers %': Math.round((100 * total.covered) / total.errors.length),
  'false per device-day': Number((total.falseOnes / total.days).toFixed(3)),
  breaches: total.breaches,
  'warned of %': Math.round((100 * total.warned) / total.breaches),
})

const fleets = simulated(seeds)
const groups: [string, BenchSeries[]][] = [['simulated trackers, held out', fleets]]
if (args.includes('--by-kind'))
  for (const kind of new Set(fleets.map((series) => series.kind)))
    groups.push([kind, fleets.filter((series) => series.kind === kind)])
const real = machineRoom()
if (real.length > 0) groups.push(['a real machine room, hourly', real])
else console.log('no /work/shared/data: the real series are left out')

for (const [name, series] of groups) {
  console.log(`\n${name}`)
  const rows = Object.entries(methods).map(([method, ask]) => {
    const total = fresh()
    for (const one of series) score(one, ask, total)
    return [method, line(total)] as const
  })
  console.table(Object.fromEntries(rows))
}
const asked = fleets[0]
if (asked) {
  const points = asked.points.slice(-150)
  const started = performance.now()
  for (let i = 0; i < 1000; i++)
    methods['beyond its usual range (ours)']?.(points, asked.limits, points.at(-1)?.at ?? 0)
  console.log(`one forecast from 150 readings: ${(performance.now() - started).toFixed(0)} µs`)
}
