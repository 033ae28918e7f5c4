import { instantAt, wallAt } from '@isotherm/contract/zone-times.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DueRun, lastPeriod, nextRun, type ReportSchedule, runsDue } from './report-schedule.ts'

const zones = ['Africa/Lagos', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata'] as const
const cadences = ['daily', 'weekly', 'monthly'] as const
const day = 86_400_000
const of = (given: Partial<ReportSchedule>): ReportSchedule => ({
  cadence: 'daily',
  weekday: 1,
  monthDay: 1,
  time: '07:00',
  zone: 'Africa/Lagos',
  ...given,
})
const from = Date.parse('2026-01-01T00:00:00Z')
const until = Date.parse('2028-01-01T00:00:00Z')

/** Every run of two years, found as a clock passes by in uneven steps. */
function twoYears(schedule: ReportSchedule, stepMs: number): DueRun[] {
  const found: DueRun[] = []
  let next = nextRun(schedule, from)
  for (let now = from; now < until; now += stepMs)
    while (next.at <= now) {
      found.push(next)
      next = nextRun(schedule, next.at)
    }
  return found
}

describe.each(zones)('%s, over two years', (zone) => {
  test.each(cadences)('%s: one run for each period, none left out, none twice', (cadence) => {
    for (const time of ['00:00', '01:30', '02:00', '02:30', '03:00', '07:00', '23:59']) {
      const runs = twoYears(of({ zone, cadence, time, weekday: 7, monthDay: 31 }), 37 * 60_000)
      const keys = runs.map(({ period }) => period.key)
      expect(new Set(keys).size).toBe(keys.length)
      // Each period begins where the one before ended: without a hole, without an overlap.
      for (const [index, { period, at }] of runs.entries()) {
        expect(period.to).toBeLessThanOrEqual(at)
        const before = runs[index - 1]
        if (before) expect(period.from).toBe(before.period.to)
        if (before) expect(at).toBeGreaterThan(before.at)
      }
      const least = { daily: 729, weekly: 104, monthly: 24 }[cadence]
      expect(runs.length).toBeGreaterThanOrEqual(least)
      expect(runs.length).toBeLessThanOrEqual(least + 1)
    }
  })

  test('each comes at its time by the clock of the zone, but for the night in which that time is skipped', () => {
    const runs = twoYears(of({ zone, time: '02:30' }), 3_600_000)
    const odd = runs.filter(({ at }) => new Date(wallAt(at, zone)).toISOString().slice(11, 16) !== '02:30')
    const changes = { 'Africa/Lagos': 0, 'Europe/Paris': 2, 'America/New_York': 2, 'Asia/Kolkata': 0 }[zone]
    expect(odd).toHaveLength(changes)
    for (const { at } of odd) expect(new Date(wallAt(at, zone)).toISOString().slice(11, 16)).toBe('03:30')
  })
})

test('a 02:30 that clocks skip runs once, an hour later by the clock; the day before is 24 h, that day 23', () => {
  const paris = of({ zone: 'Europe/Paris', time: '02:30' })
  const run = nextRun(paris, Date.parse('2026-03-28T12:00:00Z'))
  expect(new Date(run.at).toISOString()).toBe('2026-03-29T01:30:00.000Z')
  expect(run.period.key).toBe('2026-03-28')
  const next = nextRun(paris, run.at)
  expect(new Date(next.at).toISOString()).toBe('2026-03-30T00:30:00.000Z')
  expect(next.period.to - next.period.from).toBe(23 * 3_600_000)
})

test('a 02:30 that exists twice runs once, the first time', () => {
  const paris = of({ zone: 'Europe/Paris', time: '02:30' })
  const run = nextRun(paris, Date.parse('2026-10-24T12:00:00Z'))
  expect(new Date(run.at).toISOString()).toBe('2026-10-25T00:30:00.000Z')
  const next = nextRun(paris, run.at)
  expect(new Date(next.at).toISOString()).toBe('2026-10-26T01:30:00.000Z')
  expect(next.period.to - next.period.from).toBe(25 * 3_600_000)
})

test('weekly on Monday tells of the week before, Monday to Sunday', () => {
  const run = nextRun(of({ cadence: 'weekly' }), Date.parse('2026-11-21T08:00:00Z'))
  expect(new Date(run.at).toISOString()).toBe('2026-11-23T06:00:00.000Z')
  expect(run.period).toEqual({
    key: '2026-11-16',
    from: Date.parse('2026-11-15T23:00:00Z'),
    to: Date.parse('2026-11-22T23:00:00Z'),
  })
})

test('the 31st is the last day of a shorter month, and tells of the calendar month before', () => {
  const days = twoYears(of({ cadence: 'monthly', monthDay: 31, zone: 'Asia/Kolkata' }), day).map(({ at, period }) => [
    new Date(wallAt(at, 'Asia/Kolkata')).toISOString().slice(5, 10),
    period.key.slice(5),
  ])
  expect(days.slice(0, 5)).toEqual([
    ['01-31', '12-01'],
    ['02-28', '01-01'],
    ['03-31', '02-01'],
    ['04-30', '03-01'],
    ['05-31', '04-01'],
  ])
})

test('midnight that clocks skip begins the day at one o’clock', () => {
  // Beirut sets its clocks forward at midnight.
  const midnight = instantAt(Date.parse('2026-03-29T00:00:00Z'), 'Asia/Beirut')
  expect(new Date(wallAt(midnight, 'Asia/Beirut')).toISOString()).toBe('2026-03-29T01:00:00.000Z')
  expect(wallAt(midnight - 1, 'Asia/Beirut')).toBeLessThan(Date.parse('2026-03-29T00:00:00Z'))
})

test('after a downtime everything that was due is found, and the run that follows is in the future', () => {
  const schedule = of({ zone: 'America/New_York', time: '02:30' })
  const first = nextRun(schedule, Date.parse('2026-03-01T00:00:00Z'))
  const now = Date.parse('2026-03-15T12:00:00Z')
  const { due, next } = runsDue(schedule, first.at, now)
  expect(due).toHaveLength(15)
  expect(new Set(due.map(({ period }) => period.key)).size).toBe(15)
  expect(next).toBeGreaterThan(now)
  expect(runsDue(schedule, next, now)).toEqual({ due: [], next })
})

test('run now tells of the last whole day of the zone', () => {
  const now = Date.parse('2026-11-21T23:30:00Z')
  expect(lastPeriod(of({ zone: 'Africa/Lagos' }), now).key).toBe('2026-11-21')
  expect(lastPeriod(of({ zone: 'America/New_York' }), now).key).toBe('2026-11-20')
})

test('in any zone, whenever asked: the next run is later, and nothing lies between it and the one asked from', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  const at = fc.integer({ min: from, max: until })
  fc.assert(
    fc.property(zone, time, at, fc.constantFrom(...cadences), (zone, [h, m], at, cadence) => {
      const two = (value: number) => String(value).padStart(2, '0')
      const schedule = of({ zone, cadence, time: `${two(h)}:${two(m)}`, weekday: (m % 7) + 1, monthDay: (m % 31) + 1 })
      const run = nextRun(schedule, at)
      expect(run.at).toBeGreaterThan(at)
      expect(nextRun(schedule, run.at - 1)).toEqual(run)
      expect(run.period.to).toBeGreaterThan(run.period.from)
    }),
    { numRuns: 300, seed: 7 },
  )
})
