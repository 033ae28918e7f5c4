import { expect, test } from 'vitest'
import { percentOf } from './scorecards.ts'

test.each([
  [1, 3, 33.3],
  [1_999, 2_000, 99.9],
  [9_999, 10_000, 99.9],
  [2_000, 2_000, 100],
  // Late or out of range once is not "0 %".
  [1, 10_000, 0.1],
  [0, 10_000, 0],
  [0, 0, null],
])('%d of %d are %s %%', (part, whole, percent) => {
  expect(percentOf(part, whole)).toBe(percent)
})
