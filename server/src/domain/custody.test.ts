import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { custodyOf, type Journey, type Measuring, type Part, sharesOf, timeOutside } from './custody.ts'

const hour = 3_600_000
const journey: Journey = {
  ...{ from: 0, to: 10 * hour, departedAt: hour, isAtPickup: false, stopCount: 2 },
  stops: [
    { receiverId: '1', at: 4 * hour, isHandedOver: true },
    { receiverId: '2', at: 8 * hour, isHandedOver: true },
  ],
}
const told = (given: Journey, device: Measuring) =>
  custodyOf(given, device).map(({ holder, from, to }) => [
    `${holder.kind}${holder.receiverId ?? ''}`,
    from / hour,
    to / hour,
  ])
const box: Measuring = { role: 'cargo', receiverId: '1' }
const pallet: Measuring = { role: 'cargo', receiverId: null }
const van: Measuring = { role: 'vehicle', receiverId: null }

describe('goods are held', () => {
  test('by the sender until the departure, by the carrier on the way, by the receiver from the hand-over', () => {
    const way = [
      ['sender', 0, 1],
      ['carrier', 1, 4],
    ]
    expect(told(journey, box)).toEqual([...way, ['receiver1', 4, 10]])
    expect(told(journey, pallet)).toEqual([
      ['sender', 0, 1],
      ['carrier', 1, 8],
      ['receiver2', 8, 10],
    ])
  })

  test('by nobody in a vehicle that has handed everything over', () => {
    expect(told(journey, van).at(-1)).toEqual(['nobody', 8, 10])
  })

  test('by the carrier where they were refused, or a stop is still to come', () => {
    const refused = { ...journey, stops: [{ receiverId: '1', at: 4 * hour, isHandedOver: false }] }
    for (const device of [box, pallet, van]) expect(told(refused, device).at(-1)).toEqual(['carrier', 1, 10])
  })

  test('by the carrier from the start where no position tells of a departure, and by the sender while positions are at the pick-up', () => {
    const unseen = { ...journey, departedAt: null, stops: [] }
    expect(told(unseen, van)).toEqual([['carrier', 0, 10]])
    expect(told({ ...unseen, isAtPickup: true }, van)).toEqual([['sender', 0, 10]])
  })

  test('by the receiver from a hand-over that is told before the departure', () => {
    const early = { ...journey, departedAt: 5 * hour }
    expect(told(early, box)).toEqual([
      ['sender', 0, 4],
      ['receiver1', 4, 10],
    ])
  })
})

const instant = fc.integer({ min: -5 * hour, max: 20 * hour })
const journeys = fc
  .record({
    length: fc.integer({ min: 1, max: 15 * hour }),
    departedAt: fc.option(instant),
    isAtPickup: fc.boolean(),
    stops: fc.array(fc.record({ at: instant, isHandedOver: fc.boolean() }), { maxLength: 5 }),
    open: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ length, stops, open, ...more }) => ({
    ...{ ...more, from: 0, to: length, stopCount: stops.length + open },
    stops: stops.map((stop, index) => ({ ...stop, receiverId: String(index + 1) })),
  }))
  .filter(({ stopCount }) => stopCount > 0)
const devices = fc.record({
  role: fc.constantFrom('cargo' as const, 'vehicle' as const),
  receiverId: fc.option(fc.integer({ min: 1, max: 5 }).map(String)),
})
const outsides = fc.array(fc.tuple(instant, instant), { maxLength: 8 })

test('what several devices have outside at once is one time of its holder', () => {
  const held = (holder: string, from: number, to: number): Part<string> => ({ holder, from, to })
  const probes = Array.from({ length: 12 }, () => held('carrier', 0, 2 * hour))
  expect(timeOutside([...probes, held('carrier', hour, 3 * hour), held('terminal', 3 * hour, 4 * hour)])).toEqual([
    { holder: 'carrier', ms: 3 * hour },
    { holder: 'terminal', ms: hour },
  ])
})

test('custody fills the time of the order, and every moment outside the limits is attributed exactly once', () => {
  fc.assert(
    fc.property(journeys, devices, outsides, (given, device, spans) => {
      const custody = custodyOf(given, device)
      expect(custody[0]?.from).toBe(given.from)
      expect(custody.at(-1)?.to).toBe(given.to)
      for (const [index, { from, to }] of custody.entries()) {
        expect(to).toBeGreaterThan(from)
        if (index > 0) expect(from).toBe(custody[index - 1]?.to)
      }
      let within = 0
      const shares = spans.flatMap(([a, b]) => {
        const outside = { from: Math.min(a, b), to: Math.max(a, b) }
        within += Math.max(0, Math.min(outside.to, given.to) - Math.max(outside.from, given.from))
        return sharesOf(custody, outside)
      })
      expect(shares.reduce((sum, { ms }) => sum + ms, 0)).toBe(within)
    }),
    { numRuns: 2_000 },
  )
})
