import { expect, test } from 'vitest'
import { localeNames } from './common.ts'
import { writeClock, writeTime } from './times.ts'

const afternoon = new Date('2026-11-20T13:03:00Z')

test.each(localeNames)('hours are counted to 24 in %s, wherever a time is written', (locale) => {
  expect(writeClock(locale, 'Africa/Lagos', afternoon)).toBe('14:03')
  expect(writeClock(locale, 'Africa/Lagos', new Date('2026-11-19T23:03:00Z'))).toBe('00:03')
  expect(writeTime(locale, 'Africa/Lagos', afternoon)).toMatch(/^20 .*2026.* 14:03 (GMT|UTC) ?\+1$/)
})

test('English puts the day before the month, and the zone after the time', () => {
  expect(writeTime('en', 'Africa/Lagos', afternoon)).toBe('20 Nov 2026, 14:03 GMT+1')
})
