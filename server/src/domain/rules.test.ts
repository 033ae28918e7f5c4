import { expect, test } from 'vitest'
import { differFrom, ruleAt, rulesOf } from './rules.ts'

const limits = (from: number, temperatureMax: number | null) => ({
  from,
  temperatureMin: null,
  temperatureMax,
  humidityMin: null,
  humidityMax: null,
})

test('a reading is judged by the limits and the interval of its own time', () => {
  const { temperature } = rulesOf(
    [limits(1000, 800), limits(3000, 900)],
    [
      { from: Number.NEGATIVE_INFINITY, intervalS: 180 },
      { from: 2000, intervalS: 600 },
    ],
  )
  expect([500, 1000, 1999, 2000, 3000].map((at) => ruleAt(temperature, at))).toMatchObject([
    { max: null, holdMs: 540_000 },
    { max: 800, holdMs: 540_000 },
    { max: 800, holdMs: 540_000 },
    { max: 800, holdMs: 1_800_000 },
    { max: 900, holdMs: 1_800_000 },
  ])
})

test('a device of which nothing is known has no limits and the shortest interval', () => {
  expect(ruleAt(rulesOf([], []).humidity, 0)).toMatchObject({ min: null, max: null, holdMs: 540_000 })
})

test('two histories differ from the first instant that one of them judges otherwise', () => {
  const interval = [{ from: Number.NEGATIVE_INFINITY, intervalS: 180 }]
  const before = rulesOf([limits(1000, 800)], interval)
  expect(differFrom(before, rulesOf([limits(1000, 800)], interval))).toBeNull()
  expect(differFrom(before, rulesOf([limits(1000, 800), limits(2000, 800)], interval))).toBeNull()
  expect(differFrom(before, rulesOf([limits(1000, 800), limits(2000, 900)], interval))).toBe(2000)
  expect(differFrom(before, rulesOf([limits(1000, 700)], interval))).toBe(1000)
  expect(differFrom(before, rulesOf([limits(1000, 800)], [...interval, { from: 1500, intervalS: 600 }]))).toBe(1500)
})
