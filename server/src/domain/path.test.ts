import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanPathByAll } from '../../test/path-by-all.ts'
import { type CleanPath, cleaning, type RawFix } from './path.ts'
import { distanceM } from './sphere.ts'

/** All of it at once. */
function cleanPath(raw: readonly RawFix[], how: { toleranceM: number; maxSpeedKmh: number }): CleanPath {
  const work = cleaning(raw, how)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

const minute = 60_000
const options = { toleranceM: 15, maxSpeedKmh: 250 }
const fix = (at: number, lat: number, lon: number, accuracyM = 0): RawFix => ({ at, lat, lon, accuracyM })
/** A van going north from Lagos at 60 km/h, a fix a minute. */
const drive = (minutes: number, from = 0) =>
  Array.from({ length: minutes }, (_, i) => fix((from + i) * minute, 6.5 + ((from + i) * 1000) / 111_195, 3.4))

test('an impossible jump is left out, wherever it stands', () => {
  const good = drive(30)
  for (const place of [0, 1, 15, 29]) {
    const wrong = fix(place * minute + 1, 48.85, 2.35)
    const { path, removed } = cleanPath([...good, wrong], options)
    expect(removed.jumps, `at ${place}`).toBe(1)
    expect(path.every(({ lat }) => lat < 10)).toBe(true)
    expect([path[0]?.at, path.at(-1)?.at]).toEqual([0, 29 * minute])
  }
})

test('a wrong start does not condemn the right fixes after it, nor do several wrong ones in a row', () => {
  const wrong = [fix(-2 * minute, 51.5, 0), fix(-minute, 51.5, 0.001), fix(4.5 * minute, 0, 0)]
  const { path, removed } = cleanPath([...wrong, ...drive(20)], options)
  expect(removed.jumps).toBe(3)
  expect(path[0]).toMatchObject({ at: 0 })
})

test('a tracker that says it is not accurate may seem to jump', () => {
  const fixes = [fix(0, 6.5, 3.4, 5000), fix(10_000, 6.53, 3.4, 3000), fix(minute, 6.5, 3.4, 10)]
  expect(cleanPath(fixes, options).removed.jumps).toBe(0)
})

test('a straight drive is two points, as long as it was', () => {
  const { path, stops, removed, lengthM } = cleanPath(drive(31), options)
  expect(path).toHaveLength(2)
  expect(stops).toEqual([])
  expect(removed).toEqual({ jumps: 0, jitter: 0, simplified: 29 })
  expect(lengthM).toBeCloseTo(30_000, -2)
})

test('a corner is kept', () => {
  const corner = drive(10).at(-1)!
  const east = Array.from({ length: 10 }, (_, i) => fix((10 + i) * minute, corner.lat, 3.4 + (i + 1) / 110))
  const { path } = cleanPath([...drive(10), ...east], options)
  expect(path.map(({ at }) => at / minute)).toEqual([0, 9, 19])
})

test('what scatters around a place is one stop, also when one fix strays', () => {
  const parked = Array.from({ length: 40 }, (_, i) =>
    fix((20 + i) * minute, 6.7 + Math.sin(i * 7) / 5000, 3.4 + Math.cos(i * 5) / 5000),
  )
  parked[17] = fix(37 * minute, 6.7015, 3.4)
  const arriving = drive(20)
  const { path, stops, removed } = cleanPath([...arriving, ...parked], options)
  expect(stops).toHaveLength(1)
  expect(stops[0]).toMatchObject({ from: 20 * minute, to: 59 * minute, fixes: 39 })
  expect(distanceM(stops[0]!, { lat: 6.7, lon: 3.4 })).toBeLessThan(10)
  expect(removed.jitter).toBe(38)
  expect(path.slice(-2).map(({ at }) => at / minute)).toEqual([20, 59])
})

test('slow traffic is no stop', () => {
  const jam = Array.from({ length: 20 }, (_, i) => fix(i * minute, 6.5 + (i * 70) / 111_195, 3.4))
  expect(cleanPath(jam, options).stops).toEqual([])
})

test('a stop on the date line is in one place', () => {
  const moored = Array.from({ length: 12 }, (_, i) => fix(i * minute, -17, i % 2 ? 179.9999 : -179.9999))
  const { stops } = cleanPath(moored, options)
  expect(stops).toHaveLength(1)
  expect(Math.abs(stops[0]!.lon)).toBeGreaterThan(179.999)
})

test('one fix, and fixes of one instant, are a path too', () => {
  expect(cleanPath([fix(5, 1, 2)], options)).toMatchObject({ path: [{ at: 5, lat: 1, lon: 2 }], lengthM: 0 })
  const twice = cleanPath([fix(5, 1, 2, 50), fix(5, 1, 2.001, 10)], options)
  expect(twice.path).toEqual([{ at: 5, lat: 1, lon: 2.001 }])
  expect(twice.removed.jitter).toBe(1)
  expect(cleanPath([fix(5, 0, 0)], options).path).toEqual([])
})

test('every fix is in the path, in a stop, or counted as left out; the order given does not matter', () => {
  const fixes = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 200 }).map((n) => n * 20_000),
      lat: fc.integer({ min: 6_400_000, max: 6_420_000 }).map((n) => n / 1e6),
      lon: fc.integer({ min: 3_300_000, max: 3_320_000 }).map((n) => n / 1e6),
      accuracyM: fc.constant(5),
    }),
    { minLength: 1, maxLength: 120 },
  )
  fc.assert(
    fc.property(fixes, (raw) => {
      const { path, removed } = cleanPath(raw, options)
      expect(path.length + removed.jumps + removed.jitter + removed.simplified).toBe(raw.length)
      expect(path.every((each, i) => i === 0 || each.at > path[i - 1]!.at)).toBe(true)
      const unique = new Map(raw.map((each) => [each.at, each]))
      if (unique.size === raw.length) expect(cleanPath(raw.toReversed(), options).path).toEqual(path)
    }),
    { numRuns: 200 },
  )
})

test('of 5,000 fixes that all jump about, no two that are left are farther apart than anything travels', () => {
  const wild = Array.from({ length: 5000 }, (_, i) => fix(i * 1000, (i * 37) % 80, (i * 91) % 170))
  const { path, removed } = cleanPath(wild, options)
  expect(removed.jumps).toBeGreaterThan(0)
  path.slice(1).forEach((each, i) => {
    const hours = (each.at - path[i]!.at) / 3_600_000
    expect(distanceM(each, path[i]!) / 1000 / hours).toBeLessThanOrEqual(options.maxSpeedKmh * 1.01)
  })
})

const ways = fc
  .array(
    fc.record({
      after: fc.integer({ min: 1, max: 240 }),
      // Stands, crawls, drives, or strays.
      step: fc.oneof(fc.constant(0), fc.double({ min: -1, max: 1, noNaN: true }), fc.constant(12), fc.constant(-40)),
      repeats: fc.integer({ min: 1, max: 25 }),
      accuracyM: fc.constantFrom(0, 5, 100),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((legs) => {
    let [at, north] = [0, 0]
    return legs.flatMap(({ after, step, repeats, accuracyM }) =>
      Array.from({ length: repeats }, (_, i) => {
        at += after * 1_000
        north += step * Math.min(after, 30)
        return fix(
          at,
          6.5 + (north + Math.sin(i * 7) * 20) / 111_195,
          3.4 + (Math.cos(i * 5) * 20) / 111_195,
          accuracyM,
        )
      }),
    )
  })

test('a path with a fix a second or fewer is cleaned as if every fix were tried as the beginning of a stop (H3)', () => {
  let stops = 0
  fc.assert(
    fc.property(ways, fc.integer({ min: 1, max: 200 }), (raw, toleranceM) => {
      const found = cleanPath(raw, { toleranceM, maxSpeedKmh: 250 })
      stops += found.stops.length
      expect(found).toEqual(cleanPathByAll(raw, { toleranceM, maxSpeedKmh: 250 }))
    }),
    { numRuns: 1000 },
  )
  expect(stops).toBeGreaterThan(100)
})

test.each([
  { of: 'all within a minute', everyMs: 10, last: [] },
  { of: 'just too short for a stop', everyMs: 59, last: [fix(10 * minute, 6.6, 3.4)] },
])('5,000 fixes in one place, $of, are tried few times (H3)', ({ everyMs, last }) => {
  const dense = Array.from({ length: 4_999 }, (_, i) => fix(i * everyMs, 6.5 + Math.sin(i * 7) / 1e4, 3.4))
  const work = cleaning([...dense, ...last], options)
  let used = 0
  let most = 0
  for (;;) {
    const before = process.threadCpuUsage()
    const { done, value } = work.next()
    const { user, system } = process.threadCpuUsage(before)
    used += (user + system) / 1000
    most = Math.max(most, (user + system) / 1000)
    if (!done) continue
    expect(value.stops).toEqual([])
    break
  }
  // Processor time: 1,000 to 2,500 ms where each fix was tried.
  expect(used).toBeLessThan(400)
  expect(most).toBeLessThan(100)
})
