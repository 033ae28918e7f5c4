import { expect, test } from 'vitest'
import { isWorthTelling } from './phone-position.ts'

const at = (seconds: number, metresNorth = 0) => ({
  at: new Date(Date.UTC(2026, 10, 23, 8) + seconds * 1_000).toISOString(),
  ...{ lat: 6.45 + metresNorth / 111_195, lon: 3.39 },
})

test.each<[string, number, number, boolean]>([
  ['standing still for less than a minute', 59, 0, false],
  ['a minute later', 60, 0, true],
  ['200 metres on', 20, 201, true],
  ['less than that', 20, 199, false],
  ['a jump within seconds', 5, 900, false],
])('%s', (_, seconds, metres, isWorth) => {
  expect(isWorthTelling(at(0), at(seconds, metres))).toBe(isWorth)
})

test('the first position is told', () => {
  expect(isWorthTelling(null, at(0))).toBe(true)
})
