import { expect, test } from 'vitest'
import { gapOf } from './coverage.ts'

test('a gap is told wherever something is missing, and only there', () => {
  const longestGap = { from: '2026-11-20T00:00:00Z', to: '2026-11-20T02:00:00Z', ms: 7_200_000 }
  expect(gapOf({ coveragePct: 98.2, longestGap })).toBe(longestGap)
  expect(gapOf({ coveragePct: 100, longestGap })).toBeNull()
  expect(gapOf({ coveragePct: null, longestGap: null })).toBeNull()
})
