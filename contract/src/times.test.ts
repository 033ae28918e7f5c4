import { expect, test } from 'vitest'
import { localeNames } from './common.ts'
import {
  momentWriter,
  timeFormat,
  writeClock,
  writeMoment,
  writeSpan,
  writeTime,
  writeZone,
  writeZoneOfMany,
} from './times.ts'

const afternoon = new Date('2026-11-20T13:03:00Z')

test.each(localeNames)('hours are counted to 24 in %s, wherever a time is written', (locale) => {
  expect(writeClock(locale, 'Africa/Lagos', afternoon)).toBe('14:03')
  expect(writeClock(locale, 'Africa/Lagos', new Date('2026-11-19T23:03:00Z'))).toBe('00:03')
  expect(writeTime(locale, 'Africa/Lagos', afternoon)).toMatch(/^20 .*2026.* 14:03 (GMT|UTC)\+1$/)
})

test('English puts the day before the month, and the zone after the time', () => {
  expect(writeTime('en', 'Africa/Lagos', afternoon)).toBe('20 Nov 2026, 14:03 GMT+1')
})

test('the zone stands once: at the end of a span, or in the head of a table', () => {
  const [from, to] = [new Date('2026-11-20T13:03:00Z'), new Date('2026-11-20T15:00:00Z')]
  expect(writeMoment('en', 'Africa/Lagos', from)).toBe('20 Nov 2026, 14:03')
  expect(writeSpan('en', 'Africa/Lagos', from, to)).toEqual({
    from: '20 Nov 2026, 14:03',
    to: '20 Nov 2026, 16:00 GMT+1',
  })
  expect(writeZoneOfMany('en', 'Africa/Lagos', 2026)).toBe('GMT+1')
})

test('where the offset changes, both ends of a span have it, and a table names the place', () => {
  const [from, to] = [new Date('2026-10-25T00:30:00Z'), new Date('2026-10-25T01:30:00Z')]
  expect(writeSpan('en', 'Europe/Berlin', from, to)).toEqual({
    from: '25 Oct 2026, 02:30 CEST',
    to: '25 Oct 2026, 02:30 CET',
  })
  expect(writeZoneOfMany('en', 'Europe/Berlin', 2026)).toBe('Europe/Berlin')
})

test('a table of Morocco, where the time changes for the weeks of Ramadan, names the place, and its hours are told apart', () => {
  expect(writeZoneOfMany('en', 'Africa/Casablanca', 2026)).toBe('Africa/Casablanca')
  const [before, within, after] = ['2026-02-01T12:00Z', '2026-03-01T12:00Z', '2026-04-01T12:00Z'].map(
    (at) => new Date(at),
  ) as [Date, Date, Date]
  expect(momentWriter('en', 'Africa/Casablanca', before, after)(within)).toBe('1 Mar 2026, 12:00 GMT+0')
})

test('hours of a table are told apart at the end of summer time; elsewhere the zone stands once', () => {
  const [first, again] = [new Date('2026-10-25T00:00:00Z'), new Date('2026-10-25T01:00:00Z')]
  const write = momentWriter('en', 'Europe/Berlin', first, again)
  expect([write(first), write(again)]).toEqual(['25 Oct 2026, 02:00 CEST', '25 Oct 2026, 02:00 CET'])
  expect(momentWriter('en', 'Europe/Berlin', again, afternoon)(again)).toBe('25 Oct 2026, 02:00')
})

test('a zone is one word, the last of a time, in every language', () => {
  const wrong = localeNames.flatMap((locale) =>
    Intl.supportedValuesOf('timeZone').filter((zone) => {
      const parts = timeFormat(locale, zone, { timeZoneName: 'short' }).formatToParts(afternoon)
      const name = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT ', 'GMT')
      return writeZone(locale, zone, afternoon) !== name
    }),
  )
  expect(wrong).toEqual([])
})
