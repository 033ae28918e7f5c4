import { expect, test } from 'vitest'
import { meansOf, middleOf } from './chart.ts'

const atS = [0, 300, 600, 900, 1200, 1500, 1800]

test('a device that measures seldom holds its value between, so that the mean does not jump', () => {
  const often = { intervalS: 300, values: [4, 4, 4, 4, 4, 4, 4] }
  const seldom = { intervalS: 600, values: [22, null, 22, null, 22, null, null] }
  expect(meansOf([often, seldom], atS, 300)).toEqual([13, 13, 13, 13, 13, 13, 13])
})

test('a device that fell silent counts for three of its intervals, and no longer', () => {
  const silent = { intervalS: 300, values: [10, null, null, null, null, null, null] }
  const going = { intervalS: 300, values: [0, 0, 0, 0, 0, 0, 0] }
  expect(meansOf([silent, going], atS, 300)).toEqual([5, 5, 5, 5, 0, 0, 0])
})

test('where nothing is held there is no mean', () => {
  expect(meansOf([{ intervalS: 300, values: [null, null, 3, null, null, null, null] }], atS, 300)).toEqual([
    null,
    null,
    3,
    3,
    3,
    3,
    null,
  ])
  expect(meansOf([], [0], 300)).toEqual([null])
})

test('a bucket stands in the middle of what it has of the period', () => {
  const hour = { from: 0, to: 3_600_000, bucketS: 180 }
  expect(middleOf(360_000, hour)).toBe(450_000)
  // A record of one minute, in a bucket that began two minutes before it.
  expect(middleOf(0, { from: 120_000, to: 170_000, bucketS: 180 })).toBe(145_000)
  expect(middleOf(3_600_000, hour)).toBe(3_600_000)
})
