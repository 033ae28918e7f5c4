import type { FenceArea, LatLon } from '@isotherm/contract/places.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areaM2, faultOf, isInside, openRing } from './fences.ts'
import { distanceM } from './sphere.ts'

const at = (lat: number, lon: number): LatLon => ({ lat, lon })
const polygon = (...points: [number, number][]): FenceArea => ({
  kind: 'polygon',
  points: points.map(([lat, lon]) => at(lat, lon)),
})
const circle = (lat: number, lon: number, radiusM: number): FenceArea => ({
  kind: 'circle',
  centre: at(lat, lon),
  radiusM,
})
const lagosToIbadan = distanceM(at(6.4541, 3.3947), at(7.3776, 3.947))

test('distances are those of the sphere', () => {
  expect(lagosToIbadan / 1000).toBeCloseTo(119.3, 0)
  expect(distanceM(at(0, 179.9), at(0, -179.9)) / 1000).toBeCloseTo(22.24, 1)
  expect(distanceM(at(1, 1), at(1, 1))).toBe(0)
})

test('a circle holds what is nearer than its radius, on the sphere and not on the map', () => {
  const far = circle(60, 10, 100_000)
  expect(isInside(far, at(60, 11.79))).toBe(true)
  expect(isInside(far, at(60, 11.81))).toBe(false)
  expect(isInside(far, at(60.89, 10))).toBe(true)
  expect(isInside(far, at(60.91, 10))).toBe(false)
})

test('a concave polygon does not hold its bay', () => {
  const u = polygon([0, 0], [0, 3], [3, 3], [3, 2], [1, 2], [1, 1], [3, 1], [3, 0])
  expect(faultOf(u)).toBeNull()
  expect(isInside(u, at(2, 0.5))).toBe(true)
  expect(isInside(u, at(2, 2.5))).toBe(true)
  expect(isInside(u, at(2, 1.5))).toBe(false)
  expect(isInside(u, at(0.5, 1.5))).toBe(true)
  expect(isInside(u, at(-0.1, 1.5))).toBe(false)
})

test('edges are straight on the map', () => {
  // Half way in Mercator's ordinate between 0 and 60 degrees lies 35.26, not 30.
  const wedge = polygon([0, 0], [60, 20], [60, 0])
  expect(isInside(wedge, at(35.264, 9.99))).toBe(true)
  expect(isInside(wedge, at(35.264, 10.01))).toBe(false)
})

test('areas are those of the sphere', () => {
  expect(areaM2(circle(10, 10, 1000)) / 1e6).toBeCloseTo(Math.PI, 4)
  expect(areaM2(polygon([0, 0], [0, 1], [1, 1], [1, 0])) / 1e6).toBeCloseTo(12_363.7, 0)
})

test.each<[string, FenceArea]>([
  ['tooFewPoints', polygon([0, 0], [1, 1])],
  ['tooFewPoints', polygon()],
  ['crossesItself', polygon([0, 0], [1, 1], [0, 1], [1, 0])],
  ['crossesItself', polygon([0, 0], [0, 2], [2, 2], [0, 1])],
  ['crossesItself', polygon([0, 0], [0, 2], [0, 1], [2, 1])],
  ['crossesItself', polygon([0, 0], [0, 2], [2, 2], [0, 0], [-1, -1], [-2, 0])],
  ['crossesDateLine', polygon([-17, 177], [-17, -178], [-19, -178], [-19, 177])],
  ['crossesDateLine', circle(-17, 179.9, 50_000)],
  ['nearPole', polygon([84, 0], [89, 10], [84, 20])],
  ['nearPole', circle(84.9, 0, 50_000)],
  ['tooSmall', polygon([0, 0], [0, 0.0001], [0.0001, 0.0001])],
  ['crossesItself', polygon([0, 0], [0, 1], [0, 2])],
  ['tooLarge', polygon([-30, -20], [-30, 50], [35, 50], [35, -20])],
])('an area that %s is none', (fault, area) => {
  expect(faultOf(area)).toBe(fault)
})

test('a closed ring, as GeoJSON has it, and repeated corners are put right', () => {
  const ring = [at(0, 0), at(0, 0), at(0, 1), at(1, 1), at(0, 0)]
  expect(openRing(ring)).toEqual([at(0, 0), at(0, 1), at(1, 1)])
  expect(openRing([at(1, 1), at(1, 1)])).toEqual([at(1, 1)])
  expect(openRing([])).toEqual([])
})

test('fences beside the date line and the poles are fine', () => {
  expect(faultOf(circle(-17.5, 177.5, 100_000))).toBeNull()
  expect(faultOf(circle(78.2, 15.6, 20_000))).toBeNull()
  expect(faultOf(polygon([-17, 177], [-17, 180], [-19, 180]))).toBeNull()
})

test('a star around any place is a fence and holds that place, and nothing beyond its longest ray', () => {
  const star = fc.record({
    lat: fc.double({ min: -60, max: 60, noNaN: true }),
    lon: fc.double({ min: -170, max: 170, noNaN: true }),
    rays: fc.array(fc.double({ min: 0.05, max: 2, noNaN: true }), { minLength: 4, maxLength: 40 }),
  })
  fc.assert(
    fc.property(star, ({ lat, lon, rays }) => {
      const points = rays.map((ray, i) => {
        const angle = (2 * Math.PI * i) / rays.length
        return at(lat + ray * Math.sin(angle), lon + ray * Math.cos(angle))
      })
      const area: FenceArea = { kind: 'polygon', points }
      expect(faultOf(area)).toBeNull()
      expect(isInside(area, at(lat + 1e-7, lon + 1e-7))).toBe(true)
      expect(isInside(area, at(lat, lon + 2.5))).toBe(false)
    }),
    { numRuns: 300 },
  )
})
