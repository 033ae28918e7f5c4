import { expect, test } from 'vitest'
import { unusedOf } from './change-of-plan.ts'

const january = { start: new Date('2026-01-01T10:00:00Z'), end: new Date('2026-02-01T10:00:00Z') }

test.each([
  ['at its beginning', '2026-01-01T10:00:00Z', 31_000],
  ['an hour later, which is a day that is used', '2026-01-01T11:00:00Z', 30_000],
  ['after ten days', '2026-01-11T10:00:00Z', 21_000],
  ['on its last day', '2026-01-31T10:00:01Z', 0],
  ['once it is over', '2026-03-01T10:00:00Z', 0],
  ['before it begins', '2025-12-01T10:00:00Z', 31_000],
])('the days ahead of a month of 31,000 are worth something %s', (_when, now, unused) => {
  expect(unusedOf(january, 31_000, new Date(now))).toBe(unused)
})

test('a part of a minor unit is not taken off', () => {
  expect(unusedOf(january, 100, new Date('2026-01-11T10:00:00Z'))).toBe(67)
})

test('a period with a change of clocks has whole days', () => {
  const march = { start: new Date('2026-03-08T07:30:00Z'), end: new Date('2026-04-08T06:30:00Z') }
  expect(unusedOf(march, 31_000, march.start)).toBe(30_000)
  expect(unusedOf(march, 31_000, new Date(march.start.getTime() - 3_600_000))).toBe(31_000)
})
