import { expect, test } from 'vitest'
import { arrivals, habitsOf, type Leg, quantile, type StopAhead, timeOfLeg } from './eta.ts'

const start = { lat: 6.5, lon: 3.4, at: Date.UTC(2026, 10, 23, 9) }
/** A degree of latitude is 111,195 m. */
const degreeM = 111_195
const stopAt = (id: string, metres: number, more: Partial<StopAhead> = {}): StopAhead => ({
  ...{ id, lat: start.lat + metres / degreeM, lon: start.lon, radiusM: 0, zone: 'UTC', arrivedAt: null },
  ...more,
})
const leg = (speedMs: number, more: Partial<Leg> = {}): Leg => {
  const metres = more.distanceM ?? 10_000
  return { distanceM: metres, durationS: metres / speedMs, hour: 9, isWeekend: false, serviceS: null, ...more }
}
/** Ten legs, one m/s apart. */
const ten = (slowest: number, more: Partial<Leg> = {}) =>
  Array.from({ length: 11 }, (_, index) => leg(slowest + index, more))
const minutes = (ms: number) => Math.round(ms / 60_000)

test('a quantile lies between the values beside it', () => {
  expect([0, 0.2, 0.5, 1].map((share) => quantile([1, 2, 3, 4, 5, 6], share))).toEqual([1, 2, 3.5, 6])
})

test('an hour and a kind of day are those of the place', () => {
  expect(timeOfLeg(Date.UTC(2026, 10, 20, 23, 30), 'Africa/Lagos')).toEqual({ hour: 0, isWeekend: true })
  expect(timeOfLeg(Date.UTC(2026, 10, 20, 23, 30), 'UTC')).toEqual({ hour: 23, isWeekend: false })
})

test('without legs an estimate is by a usual speed, its interval is wide, and it says so', () => {
  const [only] = arrivals(start, [stopAt('a', 35_000 / 1.35)], habitsOf([]), start.at)
  expect(only).toMatchObject({ basis: 'default', legs: 0 })
  expect(minutes((only?.at ?? 0) - start.at)).toBe(60)
  expect(minutes((only?.from ?? 0) - start.at)).toBe(38)
  expect(minutes((only?.to ?? 0) - start.at)).toBe(100)
})

test('learned speeds are the quantiles of legs like it', () => {
  const [only] = arrivals(start, [stopAt('a', 10_000)], habitsOf(ten(5)), start.at)
  expect(only).toMatchObject({ basis: 'history', legs: 11 })
  // 13, 10 and 7 m/s.
  expect(((only?.from ?? 0) - start.at) / 1000).toBeCloseTo(10_000 / 13, -1)
  expect(((only?.at ?? 0) - start.at) / 1000).toBeCloseTo(1_000, -1)
  expect(((only?.to ?? 0) - start.at) / 1000).toBeCloseTo(10_000 / 7, -1)
})

test('the hour, the kind of day and the distance come first, then the distance, then all legs', () => {
  const habits = habitsOf([...ten(1), ...ten(3, { hour: 18 }), ...ten(20, { isWeekend: true })])
  const median = (metres: number, hour: number, isWeekend: boolean) =>
    metres / habits.travel(metres, { hour, isWeekend }).p50
  expect(median(10_000, 10, false)).toBeCloseTo(6)
  expect(median(10_000, 17, false)).toBeCloseTo(8)
  expect(median(10_000, 9, true)).toBeCloseTo(25)
  expect(habits.travel(10_000, { hour: 3, isWeekend: false }).legs).toBe(33)
  expect(habits.travel(1_000, { hour: 9, isWeekend: false }).legs).toBe(33)
  expect(habitsOf(ten(5).slice(0, 7)).travel(10_000, { hour: 9, isWeekend: false }).basis).toBe('default')
})

test('an hour before midnight is near one after it', () => {
  const habits = habitsOf([...ten(5, { hour: 0 }), ...ten(15, { hour: 12 })])
  expect(habits.travel(10_000, { hour: 23, isWeekend: false })).toMatchObject({ legs: 11, p50: 1_000 })
})

test('legs around a yard and impossible ones teach nothing', () => {
  const odd = [leg(1, { distanceM: 100 }), leg(90), leg(5, { durationS: 0 })]
  expect(habitsOf([...odd, ...odd, ...odd]).travel(10_000, { hour: 9, isWeekend: false }).basis).toBe('default')
})

test('stops follow each other with the time that each takes', () => {
  const habits = habitsOf(ten(10, { serviceS: 600 }).map((each) => ({ ...each, durationS: 1_000 })))
  const found = arrivals(start, [stopAt('a', 10_000), stopAt('b', 20_000)], habits, start.at)
  expect(found.map(({ id, at }) => [id, Math.round((at - start.at) / 1000)])).toEqual([
    ['a', 1_000],
    ['b', 2_600],
  ])
  expect(found[1]?.from).toBeCloseTo(found[1]?.at ?? 0, -2)
})

test('the spread of a chain is more than that of its legs each, and less than their sum', () => {
  const habits = habitsOf(ten(5))
  const [first, second] = arrivals(start, [stopAt('a', 10_000), stopAt('b', 20_000)], habits, start.at)
  const width = (each: typeof first) => ((each?.to ?? 0) - (each?.at ?? 0)) / 1000
  const parts = [width(first), habits.service.p80 - habits.service.p50, width(first)]
  expect(width(second)).toBeGreaterThan(Math.hypot(...parts))
  expect(width(second)).toBeLessThan(parts.reduce((sum, part) => sum + part))
})

test('no estimate of the stop where it stands; it leaves now at the earliest', () => {
  const habits = habitsOf(ten(10, { serviceS: 600 }))
  const now = start.at + 3_600_000
  const stops = [stopAt('a', 0, { arrivedAt: start.at }), stopAt('b', 10_000)]
  const [only, ...more] = arrivals(start, stops, habits, now)
  expect(more).toEqual([])
  expect(only?.id).toBe('b')
  expect(Math.round(((only?.at ?? 0) - now) / 1000)).toBe(Math.round(10_000 / 15))
})

test('within the radius it is there', () => {
  const [only] = arrivals(start, [stopAt('a', 100, { radiusM: 150 })], habitsOf([]), start.at)
  expect(only).toMatchObject({ at: start.at, from: start.at, to: start.at })
})

test('a part of a leg varies more than the whole', () => {
  const habits = habitsOf(ten(5))
  const share = (metres: number) => {
    const { p50, p80 } = habits.travel(metres, { hour: 9, isWeekend: false })
    return (p80 - p50) / p50
  }
  expect(share(6_000)).toBeCloseTo(share(10_000) * Math.sqrt(10 / 6))
  expect(share(14_000)).toBeCloseTo(share(10_000))
})
