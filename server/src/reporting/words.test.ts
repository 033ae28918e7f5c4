import { expect, test } from 'vitest'
import { wordsOf } from './words.ts'

const plain = (text: string) => text.replace(/[\u00a0\u2009\u202f]/g, ' ')

test.each([
  ['en', -1, 1.5, '\u22121 \u2013 1.5 °C'],
  ['en', 2, 8, '2\u20138 °C'],
  ['en', 2.25, 8.3, '2.25\u20138.3 °C'],
  ['en', 1.999, 10, '2\u201310 °C'],
  ['en', -0.001, 10, '0\u201310 °C'],
  ['fr', null, 7.5, '\u2264 7,5 °C'],
] as const)('a range in %s from %s to %s has no zeros at its ends', (locale, min, max, text) => {
  expect(plain(wordsOf(locale, 'UTC').range(min, max, '°C'))).toBe(text)
})

test.each([
  [14, '14'],
  [14.5, '14.5'],
  [1200.125, '1,200.125'],
  [2.0004, '2'],
])('%s is written to at most three decimals, without zeros at its end', (value, text) => {
  expect(wordsOf('en', 'UTC').short(value, 3)).toBe(text)
})

test.each([
  ['en', 4, '4 °C'],
  ['en', -0.55, '\u22120.55 °C'],
  ['fr', 1.5, '1,5 °C'],
  ['sw', null, '\u2013'],
] as const)('a set value in %s of %s has the decimals that somebody gave it', (locale, value, text) => {
  expect(plain(wordsOf(locale, 'UTC').given(value, '°C'))).toBe(text)
})

test.each(['America/Lima', 'UTC', 'Pacific/Auckland'])('a day that a paper names is the same in %s', (zone) => {
  expect(plain(wordsOf('en', zone).day('2026-12-10'))).toBe('10 Dec 2026')
})
