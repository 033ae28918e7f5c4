import { expect, test } from 'vitest'
import { limitsAt, linesAt, nearestLine } from './nearest-line.ts'

const line = (name: string, values: Record<number, number>) => ({
  name,
  points: Object.entries(values).map(([at, avg]) => ({ at: Number(at), min: avg, avg, max: avg })),
})
const [cold, warm, silent] = [line('Cold', { 0: 2, 10: 3 }), line('Warm', { 0: 8, 10: 9 }), line('Silent', { 90: 5 })]

test('a pointer means the line whose value is nearest to it at that time', () => {
  const pointed = linesAt([cold, warm, silent], 10, 5)
  expect(pointed.map(({ line: { name }, point }) => [name, point.avg])).toEqual([
    ['Cold', 3],
    ['Warm', 9],
  ])
  expect(nearestLine(pointed, 5)?.line.name).toBe('Cold')
  expect(nearestLine(pointed, 7)?.line.name).toBe('Warm')
  expect(nearestLine([], 7)).toBeUndefined()
})

test('the limits of a line are those of the time', () => {
  const limits = [
    { from: 0, to: 5, min: 2, max: 8 },
    { from: 5, to: 20, min: null, max: 5 },
  ]
  expect(limitsAt({ ...cold, limits }, 3)?.max).toBe(8)
  expect(limitsAt({ ...cold, limits }, 10)?.max).toBe(5)
  expect(limitsAt(cold, 10)).toBeUndefined()
})
