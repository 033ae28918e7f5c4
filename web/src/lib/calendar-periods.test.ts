import { expect, test } from 'vitest'
import { calendarPeriods, daysOf } from './calendar-periods.ts'

const ofMonday = (period: (typeof calendarPeriods)[number], today: string) => {
  const { first, last } = daysOf(period, today, 1)
  return `${first} ${last}`
}

test('a period of the calendar ends today, or before its next begins', () => {
  // 22 November 2026 is a Sunday: the last day of a week that began on Monday.
  expect(Object.fromEntries(calendarPeriods.map((period) => [period, ofMonday(period, '2026-11-22')]))).toEqual({
    today: '2026-11-22 2026-11-22',
    yesterday: '2026-11-21 2026-11-21',
    thisWeek: '2026-11-16 2026-11-22',
    lastWeek: '2026-11-09 2026-11-15',
    thisMonth: '2026-11-01 2026-11-22',
    lastMonth: '2026-10-01 2026-10-31',
  })
})

test('a week begins on the first day that the calendar says', () => {
  expect(ofMonday('thisWeek', '2026-11-23')).toBe('2026-11-23 2026-11-23')
  expect(daysOf('thisWeek', '2026-11-22', 0)).toEqual({ first: '2026-11-22', last: '2026-11-22' })
  expect(daysOf('lastWeek', '2026-11-23', 0)).toEqual({ first: '2026-11-15', last: '2026-11-21' })
})

test('the last month of January is December of the year before', () => {
  expect(ofMonday('lastMonth', '2027-01-31')).toBe('2026-12-01 2026-12-31')
  expect(ofMonday('lastMonth', '2028-03-01')).toBe('2028-02-01 2028-02-29')
})
