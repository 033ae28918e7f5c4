import { expect, test } from 'vitest'
import { shownCoverage } from './coverage.ts'

test('coverage is 100 only where nothing is missing, and never rounded up to it', () => {
  expect(shownCoverage(100)).toBe(100)
  expect(shownCoverage(99.99)).toBe(99.9)
  expect(shownCoverage(38.46)).toBe(38.4)
})

test('coverage is 0 only where there is nothing, and never rounded down to it', () => {
  expect(shownCoverage(0)).toBe(0)
  expect(shownCoverage(0.004)).toBe(0.1)
})
