import { expect, test } from 'vitest'
import { fleet } from './fleet.ts'
import { linkOf } from './link.ts'
import { parcelWeek, weekIndex } from './routes/parcel-trip.ts'

const start = Date.UTC(2026, 10, 9) / 1000
const week = 7 * 86400

test('every kind of tracker loses its network at times, and always gets it back within half a day', () => {
  for (const spec of fleet('demo')) {
    const link = linkOf(spec)
    for (let at = start; at < start + week; at += 600) {
      const outage = link.outageAt(at)
      if (!outage) continue
      expect(outage.to).toBeGreaterThan(at)
      expect(outage.to - outage.from).toBeLessThan(12 * 3600)
    }
  }
})

test('an outage is the same seen from any moment in it', () => {
  for (const spec of fleet('demo')) {
    const link = linkOf(spec)
    for (let at = start; at < start + week; at += 900) {
      const outage = link.outageAt(at)
      if (!outage) continue
      expect(linkOf(spec).outageAt(outage.from + 1)).toEqual(outage)
      expect(linkOf(spec).outageAt(outage.to - 1)).toEqual(outage)
      expect(link.outageAt(outage.to)).toBeNull()
    }
  }
})

test('the parcel is offline for the whole of its flights', () => {
  const spec = fleet('demo').find(({ type }) => type === 'parcel')!
  const link = linkOf(spec)
  for (const silent of parcelWeek(spec.seed, weekIndex(start + 86400)).silent) {
    for (let at = silent.from; at < silent.to; at += 300) expect(link.outageAt(at)).not.toBeNull()
  }
})

test('some answers get lost, so that readings are sent twice, but few', () => {
  const link = linkOf(fleet('demo')[0]!)
  const lost = Array.from({ length: 20_000 }, (_, i) => link.answerLostAt(start + i * 300)).filter(Boolean).length
  expect(lost).toBeGreaterThan(40)
  expect(lost).toBeLessThan(130)
})
