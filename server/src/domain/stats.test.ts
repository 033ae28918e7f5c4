import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spoilRate } from './kinetic.ts'
import type { Held } from './measures.ts'
import { type Hours, isFrozen, isUnlimited, rulesWithin, tallyOf, verdictOf } from './stats.ts'

const at = (instant: number, value = 500, holdMs = 30): Held => ({ at: instant, value, holdMs })
const parts = (left: Held[], before: Held | null = null) => ({ before, left, hours: null, right: [] })

test('a reading holds until the next one, no longer than it may, and only within the span', () => {
  const tally = tallyOf(parts([at(10), at(20), at(90)], at(-10)), { from: 0, to: 100 })
  expect(tally).toMatchObject({ n: 3, sum: 1500, coveredMs: 10 + 10 + 30 + 10, gap: { from: 20, to: 90 } })
})

test('the reading before the span counts for its time alone', () => {
  const tally = tallyOf(parts([], at(-10, 900)), { from: 0, to: 100 })
  expect(tally).toMatchObject({ n: 0, min: null, max: null, coveredMs: 20, gap: { from: 0, to: 100 } })
  expect(tally.spoilSum).toBe(20 * spoilRate(900))
})

test('a reading before the span whose time was over takes nothing away', () => {
  expect(tallyOf(parts([at(40)], at(-100)), { from: 0, to: 50 })).toMatchObject({
    coveredMs: 10,
    spoilSum: 10 * spoilRate(500),
  })
})

test('a tally is what a count of every millisecond gives', () => {
  const series = fc.array(
    fc.record({ wait: fc.integer({ min: 1, max: 40 }), value: fc.integer({ min: -9, max: 9 }) }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(series, fc.option(fc.integer({ min: -60, max: -1 })), fc.nat({ max: 30 }), (steps, beforeAt, rest) => {
      let instant = -1
      const readings = steps.map(({ wait, value }) => {
        instant += wait
        return at(instant, value)
      })
      const before = beforeAt === null ? null : at(beforeAt, 7)
      const span = { from: 0, to: instant + 1 + rest }
      const tally = tallyOf(parts(readings, before), span)
      const all = before ? [before, ...readings] : readings
      const held = Array.from({ length: span.to }, (_, now) =>
        all.findLast(
          (one) =>
            one.at <= now && now < one.at + one.holdMs && !all.some((other) => other.at > one.at && other.at <= now),
        ),
      )
      const values = readings.map(({ value }) => value)
      const [lowest, highest] = [Math.min(...values), Math.max(...values)]
      const first = (wanted: number) => readings.find(({ value }) => value === wanted)
      const borders = [span.from, ...readings.map((one) => one.at), span.to]
      const longest = Math.max(...borders.slice(1).map((border, index) => border - (borders[index] ?? 0)))
      expect(tally).toMatchObject({ n: values.length, sum: values.reduce((sum, value) => sum + value, 0) })
      expect(tally.coveredMs).toBe(held.filter(Boolean).length)
      expect(tally.spoilSum).toBeCloseTo(
        held.reduce((sum, one) => sum + (one ? spoilRate(one.value) : 0), 0),
        20,
      )
      expect([tally.min?.at, tally.min?.value]).toEqual([first(lowest)?.at, first(lowest)?.value])
      expect([tally.max?.at, tally.max?.value]).toEqual([first(highest)?.at, first(highest)?.value])
      expect(tally.gap ? tally.gap.to - tally.gap.from : 0).toBe(longest)
    }),
  )
})

test('extremes have the time at which they were first reached', () => {
  const tally = tallyOf(parts([at(1, 7), at(2, 9), at(3, 9), at(4, 5), at(5, 5)]), { from: 0, to: 10 })
  expect([tally.min, tally.max]).toEqual([
    { at: 4, value: 5 },
    { at: 2, value: 9 },
  ])
})

test('extremes are found wherever they are', () => {
  const tally = tallyOf(parts([at(1, 5), at(2, -7), at(3, 12), at(4, 8)]), { from: 0, to: 10 })
  expect([tally.min, tally.max]).toEqual([
    { at: 2, value: -7 },
    { at: 3, value: 12 },
  ])
})

test('the reading before the span holds until the first one in it, wherever that is counted', () => {
  const [span, before] = [{ from: 0, to: 100 }, at(-10, 900)]
  const readings = [at(5), at(20)]
  expect(tallyOf({ before, left: readings, hours: null, right: [] }, span).coveredMs).toBe(5 + 15 + 30)
  expect(tallyOf({ before, left: [], hours: null, right: readings }, span).coveredMs).toBe(5 + 15 + 30)
  const hours = hoursOf(readings.slice(0, 1), 20)
  expect(tallyOf({ before, left: [], hours, right: readings.slice(1) }, span).coveredMs).toBe(5 + 15 + 30)
})

test('a reading that held no longer when the span began takes no time away', () => {
  expect(tallyOf(parts([at(10)], at(-90)), { from: 0, to: 100 })).toMatchObject({ coveredMs: 30 })
})

test('of gaps that are equally long the first is the longest', () => {
  expect(tallyOf(parts([at(10), at(50), at(90)]), { from: 10, to: 90 }).gap).toEqual({ from: 10, to: 50 })
})

test('a span that ends before it begins is empty', () => {
  expect(tallyOf(parts([], at(-10)), { from: 0, to: -1 })).toMatchObject({ n: 0, coveredMs: 0, gap: null })
})

test('hours added up beforehand make no difference', () => {
  const series = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: -300, max: 900 })), {
    minLength: 3,
    maxLength: 40,
  })
  fc.assert(
    fc.property(series, fc.nat(), fc.nat(), (steps, a, b) => {
      let instant = 0
      const readings = steps.map(([wait, value]) => {
        instant += wait
        return at(instant, value)
      })
      const [first, last] = [1 + (a % (readings.length - 2)), 1 + (b % (readings.length - 2))].sort(
        (x, y) => x - y,
      ) as [number, number]
      const span = { from: 0, to: instant + 5 }
      const whole = tallyOf(parts(readings), span)
      const [left, middle, right] = [readings.slice(0, first), readings.slice(first, last), readings.slice(last)]
      const hours = middle.length > 0 ? hoursOf(middle, right[0]?.at ?? 0) : null
      const split = tallyOf({ before: null, left, hours, right }, span)
      expect({ ...split, spoilSum: 0 }).toEqual({ ...whole, spoilSum: 0 })
      expect(Math.abs(split.spoilSum / whole.spoilSum - 1)).toBeLessThan(1e-12)
    }),
  )
})

function hoursOf(readings: readonly Held[], nextAt: number): Hours {
  const span = { from: readings[0]?.at ?? 0, to: nextAt }
  const { n, sum, min, max, coveredMs, spoilSum, gap } = tallyOf(parts([...readings]), span)
  if (!min || !max || !gap) throw new Error('hours without readings')
  return { n, sum, min, max, coveredMs, spoilSum, gap, firstAt: span.from }
}

test('the rules of a span are those in force within it', () => {
  const rule = (from: number) => ({ from, min: null, max: null, holdMs: 1 })
  const history = [rule(Number.NEGATIVE_INFINITY), rule(10), rule(20), rule(30)]
  expect(rulesWithin(history, { from: 10, to: 20 }).map(({ from }) => from)).toEqual([10, 20])
  expect(rulesWithin(history, { from: 0, to: 9 })).toHaveLength(1)
  expect(rulesWithin(history, { from: 35, to: 40 }).map(({ from }) => from)).toEqual([30])
})

test.each([
  [[{ max: -1500 }], true],
  [[{ max: 0 }], true],
  [[{ max: 800 }, { max: -1500 }], true],
  [[{ max: 1 }], false],
  [[{ max: null }], false],
  [[], false],
])('limits %j are a frozen range: %s', (rules, frozen) => {
  expect(isFrozen(rules)).toBe(frozen)
})

test('only what has neither limit is unlimited', () => {
  const limits = [null, 800].flatMap((max) => [null, 200].map((min) => ({ min, max })))
  expect(limits.filter(isUnlimited)).toEqual([{ min: null, max: null }])
})

test.each([
  ['inRange', {}],
  // The reading before the period held all through it.
  ['inRange', { readings: 0 }],
  ['incomplete', { readings: 0, coveredMs: 30 }],
  // A reading of the last instant of it.
  ['incomplete', { readings: 1, coveredMs: 0 }],
  ['outOfRange', { excursions: 1, coveredMs: 50 }],
  ['incomplete', { coveredMs: 99 }],
  ['incomplete', { unjudgedMs: 1 }],
  ['noLimits', { unjudgedMs: 100 }],
  ['noData', { readings: 0, coveredMs: 0 }],
])('the verdict is %s for %j', (verdict, evidence) => {
  const flawless = { lengthMs: 100, coveredMs: 100, unjudgedMs: 0, readings: 9, excursions: 0 }
  expect(verdictOf({ ...flawless, ...evidence })).toBe(verdict)
})
