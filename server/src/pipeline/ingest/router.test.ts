import { expect, test } from 'vitest'
import { oldest } from './router.ts'

test.each([
  ['2026-11-20T10:00:00Z', 24, '2024-11-20T10:00:00.000Z'],
  ['2028-02-29T10:00:00Z', 24, '2026-02-28T10:00:00.000Z'],
  ['2027-03-31T10:00:00Z', 1, '2027-02-28T10:00:00.000Z'],
])('at %s readings of %i months are accepted: from %s on', (now, maxAgeMonths, first) => {
  expect(new Date(oldest({ maxAgeMonths, maxAheadHours: 1 }, Date.parse(now))).toISOString()).toBe(first)
})
