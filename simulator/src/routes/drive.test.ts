import { expect, test } from 'vitest'
import { randomOf } from '../random.ts'
import { drive, type Journey, rushShare } from './drive.ts'
import { nearestKm, routePath } from './geometry.ts'
import { roads } from './roads.ts'

const sixUtc = Date.UTC(2026, 10, 18, 6) / 1000

function driveOf(id: keyof typeof roads, reverse = false): Journey {
  const path = routePath(roads[id])
  return drive({
    path,
    reverse,
    departs: sixUtc,
    localHour: (at) => (at / 3600) % 24,
    pace: 0.95,
    halts: roads[id].halts.map((halt) => ({
      km: nearestKm(path, halt.at),
      dwellS: 900,
      name: halt.name,
      kind: halt.kind,
    })),
    random: randomOf('drive test', id),
  })
}

for (const id of Object.keys(roads) as (keyof typeof roads)[]) {
  for (const reverse of [false, true]) {
    test(`${id}${reverse ? ' back' : ''}: speeds, gains of speed and the time it takes are those of a van`, () => {
      const { lengthKm } = routePath(roads[id])
      const journey = driveOf(id, reverse)
      let top = 0
      let sharpest = 0
      let backwards = 0
      for (let at = journey.departs; at < journey.arrives; at += 5) {
        const [before, now] = [journey.speedKmhAt(at), journey.speedKmhAt(at + 5)]
        top = Math.max(top, now)
        sharpest = Math.max(sharpest, Math.abs(now - before))
        const step = journey.kmAt(at + 5) - journey.kmAt(at)
        if (reverse ? step > 0 : step < 0) backwards++
      }
      expect(sharpest).toBeLessThan(40)
      expect(backwards).toBe(0)
      expect(top).toBeGreaterThan(60)
      expect(top).toBeLessThan(112)
      const meanKmh = lengthKm / ((journey.arrives - journey.departs) / 3600)
      expect(meanKmh).toBeGreaterThan(20)
      expect(meanKmh).toBeLessThan(85)
      expect(journey.kmAt(journey.departs)).toBeCloseTo(reverse ? lengthKm : 0, 3)
      expect(journey.kmAt(journey.arrives)).toBeCloseTo(reverse ? 0 : lengthKm, 1)
    })
  }
}

test('it stands still for as long as a halt was planned, at the halt', () => {
  const journey = driveOf('accraKumasi')
  const path = routePath(roads.accraKumasi)
  expect(journey.visits.map((visit) => visit.name)).toEqual(roads.accraKumasi.halts.map((halt) => halt.name))
  for (const [index, visit] of journey.visits.entries()) {
    expect(visit.to - visit.from).toBe(900)
    const km = nearestKm(path, roads.accraKumasi.halts[index]!.at)
    for (const at of [visit.from + 30, visit.to - 30]) {
      expect(journey.kmAt(at)).toBeCloseTo(km, 1)
      expect(journey.speedKmhAt(at)).toBe(0)
    }
  }
})

test('towns crawl in the rush hours', () => {
  expect(rushShare(17.6)).toBeLessThan(0.5)
  expect(rushShare(12)).toBeGreaterThan(0.9)
})
