import { expect, test } from 'vitest'
import { meanKineticC, spoilRate } from './kinetic.ts'

const meanOf = (parts: [celsius: number, weight: number][]) =>
  meanKineticC(
    parts.reduce((sum, [celsius, weight]) => sum + weight * spoilRate(celsius * 100), 0),
    parts.reduce((sum, [, weight]) => sum + weight, 0),
  )

// The vectors of DESIGN section 3.
test.each<[string, [number, number][], number]>([
  [
    '20, 25 and 30 C equally long',
    [
      [20, 1],
      [25, 1],
      [30, 1],
    ],
    25.858,
  ],
  [
    '20 C for 2 h, 2 C for 4 h, 25 C for 1 h',
    [
      [20, 2],
      [2, 4],
      [25, 1],
    ],
    15.678,
  ],
  ['2, 2, 5, 8, 8, 8, 8', [2, 2, 5, 8, 8, 8, 8].map((celsius) => [celsius, 1]), 6.25],
])('%s', (_, parts, expected) => {
  expect(meanOf(parts)).toBeCloseTo(expected, 3)
})

test('one temperature all the time is its own mean, to 1e-9', () => {
  for (const celsius of [-80, -25, -0.01, 0, 2.34, 8, 40]) expect(meanOf([[celsius, 180_000]])).toBeCloseTo(celsius, 9)
})

test('it lies between the average and the maximum, because warmth counts for more', () => {
  expect(
    meanOf([
      [2, 1],
      [20, 1],
    ]),
  ).toBeGreaterThan(11)
  expect(
    meanOf([
      [2, 1],
      [20, 1],
    ]),
  ).toBeLessThan(20)
})

test('no time at all has no mean', () => {
  expect(meanKineticC(0, 0)).toBeNull()
})
