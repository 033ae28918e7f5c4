import { expect, test } from 'vitest'
import { besideLine, timeSteps } from './ticks.ts'
import { wordsOf } from './words.ts'

test('the words beside a line stand right of it, and left of it where the sheet would cut them off', () => {
  expect(besideLine(100, 20, 500)).toBe(102)
  expect(besideLine(476, 20, 500)).toBe(478)
  expect(besideLine(477, 20, 500)).toBe(455)
})

test('the steps of an axis are round by the clocks of the zone, and say the day before the month in the reader’s words', () => {
  const from = Date.parse('2026-11-20T10:30:00Z')
  const texts = (locale: 'en' | 'fr', hours: number) =>
    timeSteps(wordsOf(locale, 'Africa/Lagos'), from, from + hours * 3_600_000).map(({ text }) => text)
  expect(texts('en', 12).slice(0, 2)).toEqual(['20 Nov, 12:00', '20 Nov, 14:00'])
  expect(texts('fr', 12).at(-1)).toBe('20 nov., 22:00')
  expect(texts('en', 24 * 7).at(0)).toBe('21 Nov 2026')
})
