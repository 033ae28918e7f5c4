import { expect, test } from 'vitest'
import { latestSnooze, snoozeUntil } from './snooze-times.ts'

const now = Date.parse('2026-11-20T22:30:00.000Z')

test('a length is counted from now', () => {
  expect(snoozeUntil('4h', '', 'UTC', now)).toBe('2026-11-21T02:30:00.000Z')
})

test('tomorrow is the next day where the person is', () => {
  expect(snoozeUntil('tomorrow', '', 'UTC', now)).toBe('2026-11-21T08:00:00.000Z')
  // Half past eleven at night in Lagos; already the 21st in Nairobi.
  expect(snoozeUntil('tomorrow', '', 'Africa/Lagos', now)).toBe('2026-11-21T07:00:00.000Z')
  expect(snoozeUntil('tomorrow', '', 'Africa/Nairobi', now)).toBe('2026-11-22T05:00:00.000Z')
})

test('a time of one’s own is read in the zone; none is none', () => {
  expect(snoozeUntil('own', '2026-11-23T09:00', 'Africa/Lagos', now)).toBe('2026-11-23T08:00:00.000Z')
  expect(snoozeUntil('own', '', 'UTC', now)).toBeNull()
})

test('7 days stay below what the server takes, however far the clocks are apart', () => {
  const until = Date.parse(snoozeUntil('7d', '', 'UTC', now) ?? '')
  expect(until).toBe(latestSnooze(now))
  expect(until).toBeLessThan(now + 7 * 86_400_000)
})
