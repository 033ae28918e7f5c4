import { arrivals, habitsOf, type Leg, type StopAhead, timeOfLeg } from '../../server/src/domain/eta.ts'
import { distanceM } from '../../server/src/domain/sphere.ts'
import type { Trip } from './trips.ts'

const zone = 'UTC'

/** Estimates against what happened. Minutes. */
export interface Score {
  estimates: number
  /** Arrivals within the interval, %. */
  withinPct: number
  /** The median width of the interval. */
  width: number
  error: number
  meanError: number
  /** The errors of the great circle at a usual speed. */
  straightError: number
  straightMeanError: number
}

interface Case {
  isWithin: boolean
  width: number
  error: number
  straight: number
}

/** The legs that the app keeps of a drive. */
function legsOf({ fixes, stops }: Trip): Leg[] {
  const [first] = fixes
  return stops.map((stop, index) => {
    const before = stops[index - 1]
    const from = before ? { ...before, at: before.leftAt } : (first ?? { ...stop, at: stop.arrivedAt - 1 })
    return {
      ...{ distanceM: distanceM(from, stop), durationS: (stop.arrivedAt - from.at) / 1000 },
      ...{
        ...timeOfLeg(from.at, zone),
        serviceS: stop.leftAt > stop.arrivedAt ? (stop.leftAt - stop.arrivedAt) / 1000 : null,
      },
    }
  })
}

/** The estimates of a drive, one in so many metres, of every stop that was still ahead. By the clock, the slow would count for more. */
function judge(trip: Trip, learned: readonly Leg[], everyM: number): Case[] {
  const habits = habitsOf(learned)
  const straight = habitsOf([])
  let driven = everyM
  return trip.fixes.flatMap((fix, index) => {
    driven += distanceM(trip.fixes[index - 1] ?? fix, fix)
    if (driven < everyM) return []
    driven = 0
    const ahead = trip.stops.flatMap((stop, at): StopAhead[] => {
      const place = { id: String(at), lat: stop.lat, lon: stop.lon, radiusM: 0, zone }
      return stop.leftAt <= fix.at ? [] : [{ ...place, arrivedAt: stop.arrivedAt <= fix.at ? stop.arrivedAt : null }]
    })
    const guesses = new Map(arrivals(fix, ahead, straight, fix.at).map((guess) => [guess.id, guess.at]))
    return arrivals(fix, ahead, habits, fix.at).flatMap(({ id, at, from, to }) => {
      const happened = trip.stops[Number(id)]?.arrivedAt
      if (happened === undefined) return []
      const isWithin = happened >= from && happened <= to
      const [error, guess] = [at, guesses.get(id) ?? 0].map((expected) => Math.abs(expected - happened))
      return { isWithin, width: to - from, error: error ?? 0, straight: guess ?? 0 }
    })
  })
}

const minutes = (ms: number) => Math.round(ms / 6_000) / 10
const median = (values: number[]) => minutes(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
const mean = (values: number[]) => minutes(values.reduce((sum, value) => sum + value, 0) / values.length)

/** Learns from the first two thirds of a company's drives, and judges the estimates of the rest. */
export const later = (trips: readonly Trip[], everyM: number): Case[] => {
  const split = Math.floor((trips.length * 2) / 3)
  const learned = trips.slice(0, split).flatMap(legsOf)
  return trips.slice(split).flatMap((trip) => judge(trip, learned, everyM))
}

/** Judges the estimates of each drive by all others: for few drives. */
export const leftOut = (trips: readonly Trip[], everyM: number): Case[] =>
  trips.flatMap((trip) => judge(trip, trips.filter((other) => other !== trip).flatMap(legsOf), everyM))

export const scoreOf = (cases: readonly Case[]): Score => ({
  estimates: cases.length,
  withinPct: Math.round((cases.filter(({ isWithin }) => isWithin).length / cases.length) * 1000) / 10,
  width: median(cases.map(({ width }) => width)),
  error: median(cases.map(({ error }) => error)),
  meanError: mean(cases.map(({ error }) => error)),
  straightError: median(cases.map(({ straight }) => straight)),
  straightMeanError: mean(cases.map(({ straight }) => straight)),
})
