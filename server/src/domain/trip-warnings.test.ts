import { expect, test } from 'vitest'
import { isSilent, lasts } from './trip-warnings.ts'

test.each<[string, number | null, number | null, number, boolean]>([
  ['one that nobody knows', null, null, 100, true],
  ['a full one that loses nothing', 90, 0, 100, true],
  ['one that charges', 20, 3, 100, true],
  ['one that is low', 14, 0, 1, false],
  ['one that is just not low', 15, null, 1, true],
  ['one that lasts half as long again', 80, -1, 53, true],
  ['one that lasts a little less', 80, -1, 54, false],
])('%s', (_, pct, perHour, hours, isEnough) => {
  expect(lasts(pct, perHour, hours)).toBe(isEnough)
})

test('a device that is offline is silent, one that sends is not', () => {
  expect([isSilent('offline'), isSilent('normal')]).toEqual([true, false])
})
