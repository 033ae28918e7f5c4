import { expect, test } from 'vitest'
import { judgedPercentDecimals, measureDecimals, percentDecimals, temperatureDecimals } from './decimals.ts'
import { shownCoverage, shownLeftPct, shownMinutesMs } from './shown-figures.ts'

test('coverage is 100 only where nothing is missing, and never rounded up to it', () => {
  expect(shownCoverage(100)).toBe(100)
  expect(shownCoverage(99.99)).toBe(99.9)
  expect(shownCoverage(38.46)).toBe(38.4)
  expect(shownCoverage(99.999, 2)).toBe(99.99)
  expect(shownCoverage(100, 2)).toBe(100)
})

test('coverage is 0 only where there is nothing, and never rounded down to it', () => {
  expect(shownCoverage(0)).toBe(0)
  expect(shownCoverage(0.004)).toBe(0.1)
  expect(shownCoverage(0.004, 2)).toBe(0.01)
})

test.each([
  ['ok', 99.96, 99],
  ['ok', 100, 100],
  ['low', 24.99, 24],
  ['low', 0.4, 0.4],
  ['low', 0.001, 0.1],
  // Its bound was broken: the time that is left does not count any more.
  ['spent', 87, null],
  ['spent', 0, null],
  ['ok', null, null],
] as const)('a budget that is %s with %s %% left is shown as %s', (state, leftPct, shown) => {
  expect(shownLeftPct({ state, leftPct })).toBe(shown)
})

test('a time out of range is not rounded to none', () => {
  expect([0, 20_000, 89_000, 91_000].map(shownMinutesMs)).toEqual([0, 60_000, 60_000, 120_000])
})

test.each([
  [60.4, { min: null, max: 60 }, 1],
  [60.04, { min: null, max: 60 }, 2],
  [61.4, { min: null, max: 60 }, 0],
  [59.96, { min: null, max: 60 }, 0],
  [60, { min: null, max: 60 }, 0],
  // In range, and "61" would not be.
  [60.5, { min: null, max: 60.5 }, 1],
  [29.6, { min: 30, max: 60 }, 1],
  [29.97, { min: 30, max: 60 }, 2],
  [30.4, { min: 30, max: 60 }, 0],
  [45.37, { min: null, max: null }, 0],
])('%s %% beside %j has so many decimals: %s', (percent, limits, decimals) => {
  expect(judgedPercentDecimals(percent, limits)).toBe(decimals)
})

test('peaks and limits have as many decimals as were measured or set', () => {
  expect([8, 8.1, 8.04, -0.5, 8.29].map(temperatureDecimals)).toEqual([1, 1, 2, 1, 2])
  expect([60, 60.4, 60.04, 85.5, 0.07].map(percentDecimals)).toEqual([0, 1, 2, 1, 2])
  expect([measureDecimals('temperature', 8), measureDecimals('humidity', 60)]).toEqual([1, 0])
})
