import { describe, expect, test } from 'vitest'
import {
  dayMs,
  endOfDay,
  instantAt,
  instantOf,
  isShown,
  localDayOf,
  localTimeOf,
  minuteOfDay,
  offsetMs,
  plusDays,
  wallAt,
  weekdayOf,
} from './zone-times.ts'

const at = Date.parse

describe('the time of a field in a zone', () => {
  test.each([
    ['2026-11-20T14:00', 'Africa/Lagos', '2026-11-20T13:00:00.000Z'],
    ['2026-11-20T14:00', 'Asia/Kolkata', '2026-11-20T08:30:00.000Z'],
    ['2026-07-01T00:00', 'Europe/Paris', '2026-06-30T22:00:00.000Z'],
    ['2026-11-20', 'Africa/Nairobi', '2026-11-19T21:00:00.000Z'],
  ])('%s in %s is %s', (local, zone, instant) => {
    expect(instantOf(local, zone)).toBe(instant)
    expect(localTimeOf(instant, zone).slice(0, local.length)).toBe(local)
  })
  test('of a year with five digits it is the end of what we count', () => {
    expect(instantOf('20266-11-20T10:00', 'Africa/Lagos')).toBe('9999-12-31T23:59:59.999Z')
    expect(instantOf('20266-11-20', 'Africa/Lagos')).toBe('9999-12-31T23:59:59.999Z')
  })
  test('of an hour that comes twice it is the first', () => {
    expect(instantOf('2026-10-25T02:30', 'Europe/Paris')).toBe('2026-10-25T00:30:00.000Z')
  })
  test('a time that the clocks skip moves by the skipped hour', () => {
    const instant = instantOf('2026-03-29T02:30', 'Europe/Paris')
    expect(localTimeOf(instant, 'Europe/Paris')).toBe('2026-03-29T03:30')
  })
})

describe('days on which clocks change', () => {
  // A year has such days in spring and autumn; Beirut and Havana leave midnight out, Lord Howe moves by half an hour.
  test.each([
    ['Europe/Paris', '2026-03-29', 23],
    ['Europe/Paris', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Asia/Beirut', '2026-03-29', 23],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Africa/Lagos', '2026-03-29', 24],
  ])('in %s %s has %d hours', (zone, day, hours) => {
    const [from, to] = [instantOf(day, zone), instantOf(plusDays(day, 1), zone)]
    expect((at(to) - at(from)) / 3_600_000).toBe(hours)
    expect(localDayOf(from, zone)).toBe(day)
    expect(localDayOf(at(from) - 1, zone)).toBe(plusDays(day, -1))
    expect(localDayOf(at(to) - 1, zone)).toBe(day)
  })

  test('the offset changes at the instant, in whatever order instants are asked for', () => {
    const change = at('2026-03-29T01:00:00Z')
    for (const [instant, hours] of [
      [change, 2],
      [change - 1, 1],
      [change + dayMs, 2],
      [change - dayMs, 1],
    ] as const)
      expect(offsetMs(instant, 'Europe/Paris')).toBe(hours * 3_600_000)
  })

  test('every wall time but the skipped ones is shown at its instant', () => {
    for (const zone of ['Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])
      for (let wall = at('2026-01-01T00:00Z'), skipped = 0; wall < at('2027-01-01T00:00Z'); wall += dayMs / 48) {
        if (wallAt(instantAt(wall, zone), zone) !== wall) skipped += 1
        expect(skipped).toBeLessThanOrEqual(2)
      }
  })
})

test('days are counted through months and years', () => {
  expect(plusDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(plusDays('2028-03-01', -1)).toBe('2028-02-29')
})

test('Monday is the first day of a week, and midnight its first minute', () => {
  const monday = at('2026-11-23T00:00:00Z')
  expect([0, 1, 5, 6, 7].map((days) => weekdayOf(monday + days * dayMs))).toEqual([1, 2, 6, 7, 1])
  expect([monday, monday + 90 * 60_000 + 59_999, monday - 1].map(minuteOfDay)).toEqual([0, 90, 1439])
})

test('a time that clocks skip is not shown on that day', () => {
  expect(isShown('2026-03-29T02:30', 'Europe/Amsterdam')).toBe(false)
  expect(isShown('2026-03-29T03:00', 'Europe/Amsterdam')).toBe(true)
  expect(isShown('2026-10-25T02:30', 'Europe/Amsterdam')).toBe(true)
  expect(isShown('2026-03-29T02:30', 'Africa/Lagos')).toBe(true)
})

test.each([
  ['2026-11-20', 'Africa/Lagos', '2026-11-20T22:59:59.000Z'],
  ['2026-03-29', 'Europe/Amsterdam', '2026-03-29T21:59:59.000Z'],
  ['2026-10-25', 'Europe/Amsterdam', '2026-10-25T22:59:59.000Z'],
  // Clocks are set forward at its last midnight.
  ['2026-04-23', 'Africa/Cairo', '2026-04-23T21:59:59.000Z'],
])('the last second of %s in %s is %s', (day, zone, instant) => {
  expect(endOfDay(day, zone)).toBe(instant)
})
