import { afterEach, expect, test } from 'vitest'
import { i18n } from './i18n.ts'
import { pastedNumber } from './pasted-number.ts'

const language = i18n.language
afterEach(() => {
  i18n.language = language
})

test.each([
  ['fr', '1.5', '1,5'],
  ['fr', ' -18.25 ', '-18,25'],
  ['fr', '\u22120.5', '-0,5'],
  ['fr', '4.125', '4,125'],
  ['fr', '1,5', null],
  ['fr', '15', null],
  ['fr', '1.500.000', null],
  ['fr', 'eight', null],
  ['en', '1,5', '1.5'],
  ['en', '1,500', null],
  ['en', '1.5', null],
] as const)('in %s "%s" is pasted as %s', (locale, text, expected) => {
  i18n.language = locale
  expect(pastedNumber(text)).toBe(expected)
})
