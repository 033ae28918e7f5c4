import { expect, test } from 'vitest'
import { minorDigits, writeMoney } from './money.ts'

test.each([
  ['JPY', 0],
  ['UGX', 0],
  ['XAF', 0],
  ['XOF', 0],
  ['RWF', 0],
  ['NGN', 2],
  ['KES', 2],
  // Some browsers have none of these.
  ['PKR', 2],
  ['COP', 2],
  ['HUF', 2],
  ['IDR', 2],
  ['KWD', 3],
  ['TND', 3],
  ['IQD', 3],
] as const)('%s has %d digits, and is written with as many', (currency, digits) => {
  expect(minorDigits(currency)).toBe(digits)
  const point = digits === 0 ? '' : `.${'0'.repeat(digits)}`
  expect(writeMoney('en', 12_345 * 10 ** digits, currency)).toMatch(new RegExp(`12,345${point.replace('.', '\\.')}$`))
})

test('a currency that nobody knows has two', () => {
  expect([minorDigits('QQQ'), writeMoney('en', 150, 'QQQ')]).toEqual([2, 'QQQ\u00a01.50'])
})
