import { expect, test } from 'vitest'
import { clearOf, moveTo } from './clear-move.ts'

const map = { left: 0, top: 0, right: 1000, bottom: 600 }
const free = { left: 350, top: 50, right: 990, bottom: 590 }
const box = (left: number, top: number, width: number, height: number) => ({
  ...{ left, top, right: left + width, bottom: top + height },
})

test('a card at the side leaves what is at its left, a sheet on a phone what is above it, none everything', () => {
  expect(clearOf(box(620, 200, 320, 350), map, free)).toEqual({ ...free, right: 620 })
  expect(clearOf(box(0, 300, 390, 300), { ...map, right: 390 }, { ...free, left: 0, right: 390 })).toMatchObject({
    bottom: 300,
  })
  expect(clearOf(null, map, free)).toEqual(free)
  expect(clearOf(box(620, 200, 0, 0), map, free)).toEqual(free)
})

test('a shape in the free room does not move the map; one beneath a panel moves it just as far as needed', () => {
  expect(moveTo(box(400, 100, 100, 100), free)).toBeNull()
  expect(moveTo(box(940, 100, 100, 100), free)).toEqual({ x: 50, y: 0 })
  expect(moveTo(box(300, 560, 100, 100), free)).toEqual({ x: -50, y: 70 })
})

test('a shape larger than the free room is fitted into it; no room at all changes nothing', () => {
  expect(moveTo(box(300, 0, 700, 100), free)).toBe('fit')
  expect(moveTo(box(300, 0, 10, 10), { ...free, bottom: 20 })).toBeNull()
})
