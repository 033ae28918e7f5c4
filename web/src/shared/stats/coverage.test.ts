import { expect, test } from 'vitest'
import { gapOf, shownCoverage } from './coverage.ts'

test('coverage is 100 only where nothing is missing, and never rounded up to it', () => {
  expect(shownCoverage(100)).toBe(100)
  expect(shownCoverage(99.99)).toBe(99.9)
  expect(shownCoverage(38.46)).toBe(38.4)
})

test('coverage is 0 only where there is nothing, and never rounded down to it', () => {
  expect(shownCoverage(0)).toBe(0)
  expect(shownCoverage(0.004)).toBe(0.1)
})

test('a gap is told wherever something is missing, and only there', () => {
  const longestGap = { from: '2026-11-20T00:00:00Z', to: '2026-11-20T02:00:00Z', ms: 7_200_000 }
  expect(gapOf({ coveragePct: 98.2, longestGap })).toBe(longestGap)
  expect(gapOf({ coveragePct: 100, longestGap })).toBeNull()
  expect(gapOf({ coveragePct: null, longestGap: null })).toBeNull()
})
