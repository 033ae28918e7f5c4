import { expect, test } from 'vitest'
import { dayAt } from './ends.ts'

test.each([
  ['Australia/Sydney', '2026-12-01T22:00:00Z', '2026-12-02'],
  ['Africa/Johannesburg', '2026-12-01T22:00:00Z', '2026-12-02'],
  ['America/Lima', '2026-12-02T01:00:00Z', '2026-12-01'],
])('the day at a place in %s at %s is %s', (timezone, at, day) => {
  expect(dayAt({ timezone }, new Date(at))).toBe(day)
  expect(dayAt({ timezone }, Date.parse(at))).toBe(day)
})
