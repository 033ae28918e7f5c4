import { describe, expect, test } from 'vitest'
import { momentNear, positionAt } from './path-cursor.ts'
import { type PathPoint, placedPoints } from './path-data.ts'

const minute = 60_000
const point = (at: number, lon: number, over: Partial<PathPoint> = {}) => ({ at: at * minute, lat: 1, lon, ...over })
const placed = (...points: PathPoint[]) => placedPoints({ points })
const points = placed(point(0, 10), point(10, 20), point(20, 30))

describe('the position at a moment', () => {
  test('is on the line between two points, because paths come thinned', () => {
    expect(positionAt(points, 4 * minute)).toEqual({ lat: 1, lon: 14 })
    expect(positionAt(points, 20 * minute)).toEqual({ lat: 1, lon: 30 })
  })

  test('is never inside a gap', () => {
    expect(positionAt(points, 4 * minute, 5 * minute)?.lon).toBe(10)
    expect(positionAt(points, 6 * minute, 5 * minute)?.lon).toBe(20)
    expect(positionAt(placed(point(0, 10), point(10, 20, { afterGap: true })), 9 * minute)?.lon).toBe(20)
  })

  test('is nowhere outside the journey', () => {
    expect(positionAt(points, -1)).toBeNull()
    expect(positionAt(points, 21 * minute)).toBeNull()
    expect(positionAt([], 0)).toBeNull()
  })

  test('of two fixes at the same time is one of them', () => {
    expect(positionAt(placed(point(0, 10), point(0, 11)), 0)?.lon).toBeGreaterThanOrEqual(10)
  })
})

describe('the moment nearest to a place', () => {
  test('lies on the line, not only at its points', () => {
    expect(momentNear(points, { lat: 1.2, lon: 14 })).toBe(4 * minute)
    expect(momentNear(points, { lat: 5, lon: 99 })).toBe(20 * minute)
  })

  test('is never inside a gap', () => {
    expect(momentNear(points, { lat: 1, lon: 14 }, 5 * minute)).toBe(0)
  })

  test('is found on the other side of the date line too', () => {
    expect(momentNear(placed(point(0, 179), point(10, -177)), { lat: 1, lon: -179 })).toBe(5 * minute)
  })

  test('of no path is none', () => {
    expect(momentNear([], { lat: 0, lon: 0 })).toBeNull()
    expect(momentNear(placed(point(3, 10)), { lat: 0, lon: 0 })).toBe(3 * minute)
  })
})
