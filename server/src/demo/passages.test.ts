import { expect, test } from 'vitest'
import { passagesAt, tripAt } from './passages.ts'

const hourMs = 3_600_000
/** Every third hour of two months. */
const instants = Array.from({ length: 480 }, (_, at) => new Date(Date.UTC(2026, 9, 1) + at * 3 * hourMs))

test('the container is always on one passage, which began where the one before it ended', () => {
  for (const now of instants) {
    const { before, current } = passagesAt(now)
    expect(current.begins.getTime()).toBeLessThanOrEqual(now.getTime())
    expect(current.sailings.at(-1)!.arrives.getTime()).toBeGreaterThan(now.getTime())
    expect(before.sailings.at(-1)!.arrives).toEqual(current.begins)
    expect(before.isNorthbound).toBe(!current.isNorthbound)
    // Trackers tell of a month: it covers the passage that is over.
    expect(now.getTime() - before.begins.getTime()).toBeLessThan(32 * 24 * hourMs)
  }
})

test('the parcel is always on a trip that was packed before it flew', () => {
  for (const now of instants) {
    const { begins, flight } = tripAt(now)
    expect(begins.getTime()).toBeLessThanOrEqual(now.getTime())
    expect(begins.getTime()).toBeLessThan(flight.departs.getTime())
    expect(flight.departs.getTime()).toBeLessThan(flight.arrives.getTime())
    expect(now.getTime() - begins.getTime()).toBeLessThan(6 * 24 * hourMs)
  }
})
