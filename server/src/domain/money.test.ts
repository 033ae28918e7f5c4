import { expect, test } from 'vitest'
import { majorText, minorUnits } from './money.ts'

test.each([
  ['10750', 'NGN', 1_075_000],
  ['10750.5', 'NGN', 1_075_050],
  ['0', 'USD', 0],
  ['0.07', 'USD', 7],
  ['5000', 'XOF', 5_000],
  ['1.234', 'KWD', 1_234],
  // As a sum of halves this would be 28.999999999999996.
  ['0.29', 'EUR', 29],
])('%s %s is %d minor units, and back', (text, currency, amount) => {
  expect(minorUnits(text, currency)).toBe(amount)
  expect(minorUnits(majorText(amount, currency), currency)).toBe(amount)
})

test.each([
  ['5000.5', 'XOF'],
  ['1.005', 'USD'],
  ['-1', 'USD'],
  ['1e3', 'USD'],
  ['1,000', 'USD'],
  ['', 'USD'],
  ['1.', 'USD'],
])('"%s" %s is no amount', (text, currency) => {
  expect(minorUnits(text, currency)).toBe(null)
})

test('amounts are written with the digits of their currency', () => {
  expect([majorText(7, 'USD'), majorText(1_075_000, 'NGN'), majorText(5_000, 'XOF')]).toEqual([
    '0.07',
    '10750.00',
    '5000',
  ])
})
