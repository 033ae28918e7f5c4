import { expect, test } from 'vitest'
import { readPhone } from './phones.ts'

test.each([
  ['0803 123 4567', 'NG', '+2348031234567'],
  ['+234 (803) 123-4567', 'KE', '+2348031234567'],
  ['0712 345678', 'KE', '+254712345678'],
  ['0112 345 678', 'KE', '+254112345678'],
  ['07 09 12 34 56', 'CI', '+2250709123456'],
  ['06 12 34 56 78', 'FR', '+33612345678'],
  ['+1 415 555 2671', null, '+14155552671'],
])('%s of %s is %s', (typed, country, number) => {
  expect(readPhone(typed, country, true)).toBe(number)
})

test.each([
  ['123', 'NG'],
  ['+999 123 456 789', 'NG'],
  ['0803 123 456', 'NG'],
  ['0803 123 4567', null],
  ['0803 123 4567', 'XX'],
  ['call 0803 123 4567', 'NG'],
  ['0803 123 4567 ext. 5', 'NG'],
  ['', 'NG'],
])('%s of %s is no number', (typed, country) => {
  expect(readPhone(typed, country, true)).toBeNull()
})

test('where it need not be strict, the length decides', () => {
  const typed = '+254 912 345678'
  expect([readPhone(typed, 'NG', true), readPhone(typed, 'NG', false)]).toEqual([null, '+254912345678'])
  expect(readPhone('123', 'NG', false)).toBeNull()
})
