import { describe, expect, test } from 'vitest'
import { localeNames } from './languages.ts'
import { readMoment, writeMoment } from './typed-dates.ts'

const done = { locale: 'en', withTime: true, yearIfNone: 2026 } as const
const typing = { ...done, yearIfNone: null }
const day = { ...done, withTime: false }

describe('reading what was typed', () => {
  test.each([
    ['20/11/2026 14:03', '2026-11-20T14:03'],
    ['20.11.2026, 14.03', '2026-11-20T14:03'],
    ['20 Nov 2026, 14:03', '2026-11-20T14:03'],
    ['Nov 20 2026 14h03', '2026-11-20T14:03'],
    ['2026-11-20T14:03', '2026-11-20T14:03'],
    ['20/11/26 1403', '2026-11-20T14:03'],
    ['20/11/2026', '2026-11-20T00:00'],
    ['3 march 9', null],
    ['20/11 9:5', null],
    ['20/11 14:03', '2026-11-20T14:03'],
    ['3 nov 14h', '2026-11-03T14:00'],
    ['Nov 3 9:05', '2026-11-03T09:05'],
    ['3 nov 14:3', null],
    ['20/11 14:03:00', null],
    ['20/11/2026 11 14:03', null],
    ['20/11', '2026-11-20T00:00'],
    ['1/2/2026 7', '2026-02-01T07:00'],
    ['29/2/2024 0:00', '2024-02-29T00:00'],
    ['29/2/2026 0:00', null],
    ['20/13/2026', null],
    ['20/11/20266', null],
    ['20/11/2026 24:00', null],
    ['20/11/2026 10:60', null],
    ['tomorrow', null],
    ['20 Foo 2026', null],
    ['', null],
  ])('%s is %s', (text, moment) => {
    expect(readMoment(text, done)).toBe(moment)
  })

  test('while somebody types, half a date is none', () => {
    for (const text of ['20/11', '20/11 14:03', '20/11/20', '20/11/2026', '20/11/2026 14', '20/11/2026 14:0'])
      expect(readMoment(text, typing), text).toBeNull()
    expect(readMoment('20/11/2026 14:03', typing)).toBe('2026-11-20T14:03')
    expect(readMoment('20/11/2026', { ...typing, withTime: false })).toBe('2026-11-20')
  })

  test('a day takes no time', () => {
    expect(readMoment('20/11/2026', day)).toBe('2026-11-20')
    expect(readMoment('20/11/2026 14:03', day)).toBeNull()
  })

  test.each([
    ['fr', '3 févr. 2026', '2026-02-03'],
    ['fr', '3 fevrier 2026', '2026-02-03'],
    ['fr', '3 jui 2026', null],
    ['es', '3 de septiembre de 2026', '2026-09-03'],
    ['sw', '3 Agosti 2026', '2026-08-03'],
  ] as const)('in %s, %s is %s', (locale, text, moment) => {
    expect(readMoment(text, { ...day, locale })).toBe(moment)
  })
})

test.each(localeNames)('what is written in %s is read back, in every month', (locale) => {
  for (let month = 1; month <= 12; month += 1) {
    const moment = `2026-${String(month).padStart(2, '0')}-09T08:05`
    expect(readMoment(writeMoment(moment, locale), { ...typing, locale }), writeMoment(moment, locale)).toBe(moment)
    expect(readMoment(writeMoment(moment.slice(0, 10), locale), { ...day, locale })).toBe(moment.slice(0, 10))
  }
})

test('a day alone gets the clock that a field has for it, one with an hour keeps its own', () => {
  const evening = { ...typing, yearIfNone: 2026, clockIfNone: '17:00' }
  expect(readMoment('20/11/2026', evening)).toBe('2026-11-20T17:00')
  expect(readMoment('20/11/2026 9', evening)).toBe('2026-11-20T09:00')
  expect(readMoment('20/11/2026', { ...evening, yearIfNone: null })).toBeNull()
})
