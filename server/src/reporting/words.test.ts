import { expect, test } from 'vitest'
import { decimalsOf, wordsOf } from './words.ts'

const words = wordsOf('en', 'UTC')

test('a range has the decimals that its limits have, two at most', () => {
  const range = (min: number | null, max: number | null) => words.range(min, max, '°C').replaceAll(/\s/g, ' ')
  expect(range(2, 8)).toBe('2–8 °C')
  expect(range(-1, 1.5)).toBe('−1 – 1.5 °C')
  expect(range(-0.25, null)).toBe('≥ −0.25 °C')
  expect(range(null, 1 / 3)).toBe('≤ 0.33 °C')
  expect(range(null, null)).toBe('–')
})

test('as many decimals as a value has, at most so many', () => {
  expect([1200, 1200.5, 0.125, 1 / 3].map((value) => decimalsOf(value, 3))).toEqual([0, 1, 3, 3])
})
