import { describe, expect, it } from 'vitest'
import { indexFrom, nearestIndex, pointedAt } from './nearest.ts'

const points = [{ at: 0 }, { at: 10 }, { at: 20 }, { at: 60, afterGap: true }, { at: 70 }]

describe('nearestIndex', () => {
  it('takes the earlier of two equally near', () => {
    expect(nearestIndex(points, 15)).toBe(1)
    expect(nearestIndex(points, 16)).toBe(2)
    expect(nearestIndex([], 16)).toBe(-1)
    expect(indexFrom(points, 61)).toBe(4)
  })
})

describe('pointedAt', () => {
  it('finds the nearest point wherever the curve goes', () => {
    expect(pointedAt(points, 4, 0)?.at).toBe(0)
    expect(pointedAt(points, 66, 0)?.at).toBe(70)
  })

  it('claims no value in a gap or beyond the ends, but near a point', () => {
    expect(pointedAt(points, 40, 5)).toBeNull()
    expect(pointedAt(points, 57, 5)?.at).toBe(60)
    expect(pointedAt(points, 90, 5)).toBeNull()
    expect(pointedAt(points, -3, 5)?.at).toBe(0)
    expect(pointedAt([], 0, 5)).toBeNull()
  })
})
