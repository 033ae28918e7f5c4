import { describe, expect, test } from 'vitest'
import { directionOf, isBeyond, measureOf, pointsOf } from './present-value.ts'

const minute = 60_000
const line = (...values: number[]) => values.map((value, index) => ({ at: index * 10 * minute, value }))

describe('the direction of a value', () => {
  test.each([
    [[4, 5, 6, 7], 'rising'],
    [[9, 8, 7, 6.5], 'falling'],
    [[9, 9.1, 9, 9.1], 'steady'],
    // Only the last half hour counts.
    [[20, 4, 4, 5, 6], 'rising'],
    [[9], null],
    [[], null],
  ] as const)('of %j is %s', (values, expected) => {
    expect(directionOf(line(...values), 'temperature')).toBe(expected)
  })
})

test('places and silence have no measure', () => {
  expect([measureOf('humidityMin'), measureOf('noData'), measureOf('in')]).toEqual(['humidity', null, null])
})
test('a value on the limit is inside', () => {
  expect([isBeyond('temperatureMax', 8, 8), isBeyond('temperatureMax', 8, 8.1)]).toEqual([false, true])
  expect([isBeyond('temperatureMin', 2, 2), isBeyond('temperatureMin', 2, 1.9)]).toEqual([false, true])
})
test('the points of a chart begin with the period and end with the newest value', () => {
  const range = { min: [1, 2, null, 4], avg: [1, 2, null, 4], max: [1, 2, null, 4] }
  const chart = {
    ...{ bucketS: 0, atMs: [0, 10, 20, 30], temperature: range, humidity: range, batteryPct: null, lightLux: null },
    ...{ limits: [], excursions: [], gaps: [] },
  }
  expect(pointsOf(chart, 'temperature', 5, { at: 40, value: 5 })).toEqual([
    { at: 10, value: 2 },
    { at: 30, value: 4 },
    { at: 40, value: 5 },
  ])
  expect(pointsOf(chart, 'temperature', 5, { at: 30, value: 4 })).toHaveLength(2)
  expect(pointsOf(chart, 'battery', 0, null)).toEqual([])
})
