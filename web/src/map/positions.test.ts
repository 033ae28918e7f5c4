import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundsOf, circleAround, isPosition, joinBounds } from './positions.ts'

describe('isPosition', () => {
  test.each([
    [{ lat: -1.28, lon: 36.8 }, true],
    [{ lat: 90, lon: -180 }, true],
    [{ lat: 90.1, lon: 0 }, false],
    [{ lat: 0, lon: 180.5 }, false],
    [{ lat: Number.NaN, lon: 1 }, false],
    [{ lat: 1, lon: Number.POSITIVE_INFINITY }, false],
    [{ lat: null, lon: null }, false],
    [{ lat: 5 }, false],
    [null, false],
    [undefined, false],
  ])('%o: %s', (value, expected) => {
    expect(isPosition(value)).toBe(expected)
  })

  test('exactly 0, 0 is what a tracker without a fix says; the sea around it is a place', () => {
    expect(isPosition({ lat: 0, lon: 0 })).toBe(false)
    expect(isPosition({ lat: 0, lon: 9.45 })).toBe(true)
  })
})

describe('boundsOf', () => {
  test('is null without positions, a point for one, and holds all of many', () => {
    expect(boundsOf([])).toBeNull()
    expect(boundsOf([{ lat: 2, lon: 1 }])).toEqual([1, 2, 1, 2])
    const position = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(position, { minLength: 1 }), (positions) => {
        const [west, south, east, north] = boundsOf(positions) ?? [0, 0, 0, 0]
        return positions.every(({ lat, lon }) => lon >= west && lon <= east && lat >= south && lat <= north)
      }),
    )
  })

  test('joined with nothing stays as it is', () => {
    expect(joinBounds([1, 2, 3, 4], null)).toEqual([1, 2, 3, 4])
    expect(joinBounds([1, 2, 3, 4], [0, 3, 2, 9])).toEqual([0, 2, 3, 9])
    expect(joinBounds(null, null)).toBeNull()
  })
})

test('a circle is closed and everywhere its radius away from its centre', () => {
  const centre = { lat: -26.2, lon: 28.04 }
  const ring = circleAround(centre, 5_000)
  expect(ring[0]?.[0]).toBeCloseTo(ring.at(-1)?.[0] ?? 0, 9)
  for (const [lon, lat] of ring) {
    const northM = (lat - centre.lat) * 111_195
    const eastM = (lon - centre.lon) * 111_195 * Math.cos((centre.lat * Math.PI) / 180)
    expect(Math.hypot(northM, eastM)).toBeGreaterThan(4_990)
    expect(Math.hypot(northM, eastM)).toBeLessThan(5_010)
  }
})
