import { expect, test } from 'vitest'
import { isLand } from '../test/atlas.ts'
import { distanceKm } from './geometry.ts'
import { greatCircle, parcelAt, parcelWeek, weekIndex } from './parcel-trip.ts'
import { roundIndex, roundOf, sailedAt } from './voyage.ts'

const round = roundOf('demo', roundIndex(Date.UTC(2026, 10, 20) / 1000))

test('the container calls at Durban, Cape Town, Tema and Apapa and is back within its four weeks', () => {
  expect(round.stays.map((stay) => stay.port)).toEqual(['Durban', 'Cape Town', 'Tema', 'Apapa', 'Durban'])
  for (const stay of round.stays) expect(stay.to - stay.from).toBeGreaterThan(10 * 3600)
  expect(new Date(round.begins * 1000).toISOString()).toBe('2026-11-13T00:00:00.000Z')
})

test('the ship keeps to the water outside the harbours', () => {
  for (const sailing of round.sailings) {
    const ends = [sailing.path.points[0]!, sailing.path.points.at(-1)!]
    for (let at = sailing.departs; at <= sailing.arrives; at += 3600) {
      const { at: place } = sailedAt(sailing, at)
      if (Math.min(...ends.map((end) => distanceKm(end, place))) < 6) continue
      expect(isLand(place), `${sailing.lane.from} - ${sailing.lane.to} at ${place}`).toBe(false)
    }
  }
})

test('the ship sails at the speed of a container feeder, and slowly in pilot waters', () => {
  for (const sailing of round.sailings) {
    for (let at = sailing.departs; at < sailing.arrives - 600; at += 600) {
      const kmh = distanceKm(sailedAt(sailing, at).at, sailedAt(sailing, at + 600).at) * 6
      expect(kmh).toBeLessThan(33)
    }
    expect(sailedAt(sailing, sailing.departs + 600).speedKmh).toBeLessThan(15)
  }
})

test('rounds follow each other without a jump', () => {
  const next = roundOf('demo', roundIndex(round.ends))
  expect(next.begins).toBe(round.ends)
  expect(next.stays[0]!.at).toEqual(round.stays.at(-1)!.at)
})

test('the parcel flies the great circle between Nairobi and Johannesburg, and is silent meanwhile', () => {
  const week = parcelWeek('demo', weekIndex(Date.UTC(2026, 10, 18) / 1000))
  const flights = week.stages.filter((stage) => stage.kind === 'flight')
  expect(flights).toHaveLength(2)
  for (const [index, flight] of flights.entries()) {
    const total = distanceKm(flight.a, flight.b)
    expect(total).toBeGreaterThan(2800)
    expect((flight.to - flight.from) / 3600).toBeGreaterThan(3.5)
    for (let at = flight.from; at <= flight.to; at += 600) {
      const place = parcelAt(week, at)
      expect(distanceKm(flight.a, place.at) + distanceKm(place.at, flight.b)).toBeCloseTo(total, 3)
      expect(place.speedKmh).toBeLessThan(900)
    }
    const silent = week.silent[index]!
    expect(silent.from).toBeLessThan(flight.from)
    expect(silent.to).toBeGreaterThan(flight.to)
  }
  const middle = greatCircle([0, 0], [0, 90], 0.5)
  expect(middle[0]).toBeCloseTo(0, 9)
  expect(middle[1]).toBeCloseTo(45, 9)
})
