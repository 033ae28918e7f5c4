import { expect, test } from 'vitest'
import { noticeRules, noticeUntil } from './notice-periods.ts'

const until = (at: string, zone: string, rule: Parameters<typeof noticeUntil>[2]) =>
  new Date(noticeUntil(Date.parse(at), zone, rule)).toISOString()

test('a notice by CMR is due within seven days without Sundays, by the end of the day where the goods are', () => {
  // Monday the 2nd: Tuesday to Saturday are five days, Monday and Tuesday the sixth and seventh.
  expect(until('2026-11-02T10:00:00Z', 'Africa/Lagos', noticeRules.cmr)).toBe('2026-11-10T22:59:59.999Z')
  // Half past eleven at night in Lagos is the next day in Nairobi.
  expect(until('2026-11-02T22:30:00Z', 'Africa/Lagos', noticeRules.cmr)).toBe('2026-11-10T22:59:59.999Z')
  expect(until('2026-11-02T22:30:00Z', 'Africa/Nairobi', noticeRules.cmr)).toBe('2026-11-11T20:59:59.999Z')
})

test('a period of whole days counts Sundays, and knows the days on which clocks are changed', () => {
  const rule = { noticeDays: 3, skipsSundays: false }
  expect(until('2026-10-24T10:00:00Z', 'Europe/Paris', rule)).toBe('2026-10-27T22:59:59.999Z')
})
