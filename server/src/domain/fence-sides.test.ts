import type { FenceArea, LatLon } from '@isotherm/contract/places.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stepFenceByAll } from '../../test/fences-by-all.ts'
import type { Fence } from './alarm-conditions.ts'
import { type FenceSide, type Fix, stepFence } from './alarm-fence.ts'
import { BoxTree } from './box-tree.ts'
import { FenceIndex } from './fence-index.ts'
import { FenceSides } from './fence-sides.ts'

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** A ring of corners around a place, each at its own distance: concave as often as not. */
const ring = ({ lat, lon }: LatLon, reach: number, spokes: readonly number[]): FenceArea => ({
  kind: 'polygon',
  points: spokes.map((share, i) => {
    const angle = (2 * Math.PI * i) / spokes.length
    return {
      lat: Math.max(-85, Math.min(85, lat + reach * share * Math.sin(angle))),
      lon: Math.max(-180, Math.min(180, lon + reach * share * Math.cos(angle))),
    }
  }),
})

// Where fences and fixes meet: an ordinary place, both sides of the date line, the meridian opposite, and near the poles.
const sites: LatLon[] = [
  { lat: 6.5, lon: 3.4 },
  { lat: 0.1, lon: 179.95 },
  { lat: 0.1, lon: -179.95 },
  { lat: 6.5, lon: -176.6 },
  { lat: 84.9, lon: 20 },
  { lat: -84.9, lon: -100 },
]
const site = fc.constantFrom(...sites)
const area: fc.Arbitrary<FenceArea> = fc.oneof(
  fc.record({ centre: site, up: between(-0.1, 0.1), aside: between(-0.05, 0.05), radiusM: between(20, 20_000) }).map(
    ({ centre, up, aside, radiusM }): FenceArea => ({
      kind: 'circle',
      centre: { lat: centre.lat + up, lon: centre.lon + aside },
      radiusM,
    }),
  ),
  fc
    .record({
      centre: site,
      reach: between(0.001, 0.3),
      spokes: fc.array(between(0.1, 1), { minLength: 3, maxLength: 60 }),
    })
    .map(({ centre, reach, spokes }) => ring(centre, reach, spokes)),
)
const places: fc.Arbitrary<LatLon> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ site, up: between(-0.3, 0.3), aside: between(-0.3, 0.3) }).map(near) },
  { weight: 1, arbitrary: fc.record({ lat: between(-90, 90), lon: between(-180, 180) }) },
  { weight: 1, arbitrary: fc.constantFrom({ lat: 90, lon: 0 }, { lat: -90, lon: 180 }, { lat: 0, lon: -180 }) },
)
function near({ site: { lat, lon }, up, aside }: { site: LatLon; up: number; aside: number }): LatLon {
  const east = lon + aside
  return { lat: Math.max(-90, Math.min(90, lat + up)), lon: east > 180 ? east - 360 : east < -180 ? east + 360 : east }
}
const accuracies = fc.oneof(fc.constant(0), between(0, 100), between(100, 50_000), fc.constant(1_000_000))
const fixes = fc
  .array(fc.record({ place: places, accuracyM: accuracies, after: fc.integer({ min: 1, max: 20 }) }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((some) => {
    let at = 0
    return some.map(({ place, accuracyM, after }): Fix => {
      at += after * 60_000
      return { ...place, accuracyM, at }
    })
  })
const holdMs = 600_000

test('a tree of boxes finds those that meet another, and no others (H3)', () => {
  const box = fc
    .tuple(between(-90, 90), between(0, 5), between(-180, 180), between(0, 5))
    .map(([south, high, west, wide]) => ({ south, north: south + high, west, east: west + wide }))
  fc.assert(
    fc.property(fc.array(box, { maxLength: 300 }), box, (boxes, asked) => {
      const found: number[] = []
      new BoxTree(boxes).search(asked, (place) => {
        found.push(place)
        return false
      })
      const meets = boxes.flatMap(({ south, north, west, east }, i) =>
        south <= asked.north && north >= asked.south && west <= asked.east && east >= asked.west ? [i] : [],
      )
      expect(found.sort((a, b) => a - b)).toEqual(meets)
    }),
    { numRuns: 500 },
  )
})

test('a step is the same as if every edge had been looked at, also at poles and the date line (H3)', () => {
  fc.assert(
    fc.property(area, fixes, (one, way) => {
      let [before, wanted]: (FenceSide | undefined)[] = []
      for (const fix of way) {
        const step = stepFence(before, one, fix, holdMs)
        const byAll = stepFenceByAll(wanted, one, fix, holdMs)
        expect(step).toEqual(byAll)
        if (step.side.fix) before = step.side
        if (byAll.side.fix) wanted = byAll.side
      }
    }),
    { numRuns: 3000 },
  )
})

test('a device has the sides of all its fences, and their crossings, as if every fence had been stepped (H3)', () => {
  const lists = fc.array(area, { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(lists, fixes, fc.nat(29), fc.nat(24), (areas, way, split, change) => {
      const fences = areas.map((one, i): Fence => ({ key: `g${i}`, name: '', area: one }))
      const sides = new FenceSides()
      const wanted = new Map<string, FenceSide>()
      // Some by alarms and some by places, a few by both; from a fix on without the first of them.
      let indexes = [new FenceIndex(fences.slice(0, split + 1)), new FenceIndex(fences.slice(split))]
      let watched = fences
      for (const [i, fix] of way.entries()) {
        if (i === change) {
          watched = fences.slice(1)
          indexes = [new FenceIndex(watched), new FenceIndex([])]
        }
        const steps = sides.step(indexes, fix, holdMs)
        for (const { key, area: one } of watched) {
          const before = wanted.get(key)
          const step = stepFenceByAll(before, one, fix, holdMs)
          if (step.side.fix) wanted.set(key, step.side)
          const isCrossing = step.crossedAt !== null || step.through !== null
          const found = steps.get(key)
          if (found) expect(found).toEqual({ ...step, seenAt: before?.fix?.at ?? 0 })
          else expect([isCrossing, step.side]).toEqual([false, { side: 'out', fix }])
        }
        expect(new Map(sides)).toEqual(wanted)
      }
    }),
    { numRuns: 1000 },
  )
})

test('a fix costs what the fences near it cost, however many others there are (H3)', () => {
  const fences = Array.from({ length: 5_000 }, (_, i): Fence => {
    const centre = { lat: (i % 70) - 35, lon: Math.floor(i / 70) - 35 }
    return { key: `g${i}`, name: '', area: { kind: 'circle', centre, radiusM: 1_000 } }
  })
  const indexes = [new FenceIndex([]), new FenceIndex(fences)]
  const sides = new FenceSides()
  const steps = Array.from({ length: 20 }, (_, i) =>
    sides.step(indexes, { lat: 0.5, lon: 0.5 + i / 1e4, accuracyM: 10, at: i * 60_000 }, holdMs),
  )
  expect(steps[0]?.size).toBe(5_000)
  expect(steps.slice(1).map(({ size }) => size)).toEqual(Array(19).fill(0))
  expect(sides.takeChanged()).toHaveLength(5_000)
  expect(sides.takeChanged()).toEqual([])
})
