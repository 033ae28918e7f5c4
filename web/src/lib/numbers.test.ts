import { afterAll, describe, expect, test } from 'vitest'
import { i18n } from './i18n.ts'
import { decimalSeparator, formatNumber, formatTemperature, minus, thinSpace, withUnit } from './numbers.ts'

describe('numbers', () => {
  const language = i18n.language
  afterAll(() => {
    i18n.language = language
  })

  test('a minus is a minus sign, not a hyphen', () => {
    expect(formatNumber(-18.4, 1)).toBe(`${minus}18.4`)
  })
  test('what rounds to zero is not colder than zero', () => {
    expect(formatNumber(-0.04, 1)).toBe('0.0')
  })
  test('a number does not part from its unit at the end of a line', () => {
    expect(withUnit(55, '%')).toBe('55\u202f%')
  })
  test('a temperature has one decimal, or two where the sensor gives more', () => {
    expect(formatTemperature(8)).toBe(`8.0${thinSpace}°C`)
    expect(formatTemperature(8.1)).toBe(`8.1${thinSpace}°C`)
    expect(formatTemperature(8.06)).toBe(`8.06${thinSpace}°C`)
  })
  test('no value is an en dash', () => {
    expect(formatTemperature(null)).toBe('–')
  })

  test.each([
    ['en', '.'],
    ['fr', ','],
    ['es', ','],
    ['sw', '.'],
  ] as const)('what is typed in %s has "%s" before its decimals', (locale, separator) => {
    i18n.language = locale
    expect(decimalSeparator()).toBe(separator)
  })
})
