import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Fix, thin } from './thin-path.ts'

const fix = (at: number, lat: number, lon: number): Fix => ({
  at,
  lat: Math.round(lat * 1e7),
  lon: Math.round(lon * 1e7),
})

test('a straight, even drive is its two ends', () => {
  const drive = Array.from({ length: 50 }, (_, i) => fix(i * 60_000, 6 + i * 0.001, 3 + i * 0.002))
  expect(thin([drive], 500)).toEqual([[drive[0], drive[49]]])
})

test('a stop on a straight road is kept: it matters when, not only where', () => {
  const drive = [fix(0, 6, 3), fix(1, 6, 3.1), fix(2, 6, 3.1), fix(3, 6, 3.1), fix(4, 6, 3.2)]
  expect(thin([drive], 500)[0]?.map(({ at }) => at)).toEqual([0, 1, 3, 4])
})

test('jitter of a parked car is left out', () => {
  const parked = Array.from({ length: 100 }, (_, i) => fix(i, 6 + (i % 3) * 0.00001, 3 - (i % 2) * 0.00001))
  expect(thin([parked], 500)[0]).toHaveLength(2)
})

test('crossing the date line is a short way', () => {
  const ship = [179.8, 179.9, -180, -179.9, -179.8].map((lon, i) => fix(i, -15, lon))
  expect(thin([ship], 500)[0]).toHaveLength(2)
})

const fixes = fc
  .array(
    fc.record({
      lat: fc.double({ min: -89, max: 89, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
    { minLength: 1, maxLength: 200 },
  )
  .map((places) => places.map(({ lat, lon }, i) => fix(i * 1000, lat, lon)))

test('whatever the path: both ends stay, order stays, and the number asked for is kept to', () => {
  fc.assert(
    fc.property(fc.array(fixes, { maxLength: 5 }), fc.integer({ min: 10, max: 100 }), (segments, most) => {
      const thinned = thin(segments, most)
      expect(thinned).toHaveLength(segments.length)
      expect(thinned.flat().length).toBeLessThanOrEqual(
        Math.max(most, segments.flatMap((each) => each.slice(0, 2)).length),
      )
      for (const [i, segment] of segments.entries()) {
        expect([thinned[i]?.[0], thinned[i]?.at(-1)]).toEqual([segment[0], segment.at(-1)])
        expect(thinned[i]).toEqual(segment.filter((each) => thinned[i]?.includes(each)))
      }
    }),
  )
})
