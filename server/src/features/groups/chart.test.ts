import { expect, test } from 'vitest'
import { meansOf } from './chart.ts'

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
