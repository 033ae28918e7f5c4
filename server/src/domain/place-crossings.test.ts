import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Crossing, type KnownCrossing, newCrossings } from './place-crossings.ts'

const place = (key: string) => ({
  fence: { key, name: '', area: { kind: 'circle' as const, centre: { lat: 0, lon: 0 }, radiusM: 100 } },
  in: true,
  out: true,
  from: 0,
})
const direction = fc.constantFrom('in' as const, 'out' as const)
const fence = fc.constantFrom('g1', 'g2')
const at = fc.integer({ min: 0, max: 60 })

/** The same, with every crossing compared to every other. */
function byAll(found: readonly Crossing[], known: readonly KnownCrossing[], from: number): Crossing[] {
  const left = new Set(known)
  return found.filter((crossing) => {
    const turns = found.filter(
      (one) => one.place.fence.key === crossing.place.fence.key && one.direction !== crossing.direction,
    )
    const after = turns.findLast((one) => one.at <= crossing.at)?.at ?? from
    const before = turns.find((one) => one.at > crossing.at)?.at ?? Number.POSITIVE_INFINITY
    const same = [...left].find(
      (one) =>
        one.fence === crossing.place.fence.key &&
        one.direction === crossing.direction &&
        one.at >= after &&
        one.at <= before,
    )
    if (same) left.delete(same)
    return !same
  })
}

test('what is not on record is found as if every crossing were compared to every other (H3)', () => {
  const crossings = fc
    .array(fc.record({ fence, direction, at }), { maxLength: 40 })
    .map((some) => some.sort((a, b) => a.at - b.at))
  fc.assert(
    fc.property(crossings, crossings, at, (made, known, from) => {
      const found = made.map((one): Crossing => ({ place: place(one.fence), direction: one.direction, at: one.at }))
      expect(newCrossings(found, known, from)).toEqual(byAll(found, known, from))
    }),
    { numRuns: 1000 },
  )
})

test('10,000 crossings of a past are no matter (H3)', () => {
  const found = Array.from(
    { length: 10_000 },
    (_, i): Crossing => ({
      place: place('g1'),
      direction: i % 2 ? 'out' : 'in',
      at: i,
    }),
  )
  const before = process.threadCpuUsage()
  const known = found.map((one) => ({ fence: 'g1', direction: one.direction, at: one.at }))
  expect(newCrossings(found, known, 0)).toEqual([])
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(100)
})
