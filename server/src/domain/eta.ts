import { minuteOfDay, wallAt, weekdayOf } from '@isotherm/contract/zone-times.ts'
import { distanceM } from './sphere.ts'

// Estimates of arrivals, learned from legs that are over. Distances are great circles in metres, lengths of time are seconds, instants
// are ms since 1970. A speed is the distance by the time it took: what roads add to a great circle is in it.

/** The hour of day and kind of day by which legs are compared. */
export interface TimeOfLeg {
  hour: number
  isWeekend: boolean
}

/** A leg that is over, at the time of its departure. `serviceS`: how long the stop at its end took; null where that is not known. */
export interface Leg extends TimeOfLeg {
  distanceM: number
  durationS: number
  serviceS: number | null
}

/** A fifth, a half and four fifths of cases stay below these. */
interface Spread {
  p20: number
  p50: number
  p80: number
}

/** How long something takes, and the legs it was learned from; `default`: none. */
interface Taking extends Spread {
  basis: 'history' | 'default'
  legs: number
}

export interface Habits {
  travel(metres: number, time: TimeOfLeg): Taking
  service: Taking
}

/** Fewer legs than these tell nothing. */
const enough = 8
/** A leg shorter than this is the walk around a yard. */
const shortestM = 300
/** Faster than any van: a clock or a fix was wrong. */
const fastestMs = 60
const bandEndsM = [2_000, 5_000, 15_000, 50_000, 150_000]

// Where nothing is known: roads are so much longer than a great circle, and a van in town is so fast.
const detour = 1.35
const usualMs = 35 / 3.6 / detour
const usualSpeed: Spread = { p20: usualMs * 0.6, p50: usualMs, p80: usualMs * 1.6 }
const usualService: Taking = { p20: 300, p50: 900, p80: 1_800, basis: 'default', legs: 0 }

export function timeOfLeg(at: number, zone: string): TimeOfLeg {
  const wall = wallAt(at, zone)
  return { hour: Math.floor(minuteOfDay(wall) / 60), isWeekend: weekdayOf(wall) >= 6 }
}

const bandOf = (metres: number) => bandEndsM.filter((end) => metres >= end).length

/** A share of ascending values lies below the result, which is between two of them. */
export function quantile(ascending: readonly number[], share: number): number {
  const place = (ascending.length - 1) * share
  const before = ascending[Math.floor(place)] ?? 0
  return before + ((ascending[Math.ceil(place)] ?? before) - before) * (place - Math.floor(place))
}

// Between 0, each leg and stop is early or late by itself, and 1, all alike: the pace of a van and the traffic of a day last.
const alike = 0.15
const together = (a: number, b: number) => Math.sqrt(a * a + b * b + 2 * alike * a * b)

const spreadOf = (values: readonly number[]): Spread => {
  const ascending = values.toSorted((a, b) => a - b)
  return { p20: quantile(ascending, 0.2), p50: quantile(ascending, 0.5), p80: quantile(ascending, 0.8) }
}

const hoursApart = (a: number, b: number) => Math.min(Math.abs(a - b), 24 - Math.abs(a - b))

interface Paced extends TimeOfLeg {
  metres: number
  band: number
  speed: number
}

/** The legs nearest in kind of which there are enough: of the hour, kind of day and distance; of the distance; all; or none. */
function likeIt(legs: readonly Paced[], band: number, { hour, isWeekend }: TimeOfLeg): readonly Paced[] {
  const ofBand = legs.filter((leg) => leg.band === band)
  const ofTime = ofBand.filter((leg) => leg.isWeekend === isWeekend && hoursApart(leg.hour, hour) <= 1)
  return [ofTime, ofBand, legs].find((some) => some.length >= enough) ?? []
}

/** The lessons of legs that are over for those to come. */
export function habitsOf(legs: readonly Leg[]): Habits {
  const paced = legs.flatMap(({ distanceM: metres, durationS, hour, isWeekend }): Paced[] => {
    const speed = metres / durationS
    return metres < shortestM || !(speed <= fastestMs) ? [] : [{ hour, isWeekend, metres, band: bandOf(metres), speed }]
  })
  const services = legs.flatMap(({ serviceS }) => (serviceS === null ? [] : [serviceS]))
  const known = new Map<string, { speed: Spread; metres: number; legs: number }>()
  const speedsAt = (band: number, time: TimeOfLeg) => {
    const key = `${band} ${time.hour} ${time.isWeekend}`
    const found = known.get(key)
    if (found) return found
    const like = likeIt(paced, band, time)
    const learned = {
      speed: like.length === 0 ? usualSpeed : spreadOf(like.map(({ speed }) => speed)),
      metres: spreadOf(like.map(({ metres }) => metres)).p50,
      legs: like.length,
    }
    known.set(key, learned)
    return learned
  }
  return {
    travel(metres, time) {
      const { speed, metres: whole, legs } = speedsAt(bandOf(metres), time)
      // A part of a leg varies more than the whole, for what holds it up does not even out: as the root of its share.
      const more = Math.sqrt(Math.max(1, whole / Math.max(metres, 1)))
      const p50 = metres / speed.p50
      // The slow fifth is the late one.
      const [p20, p80] = [metres / speed.p80, metres / speed.p20].map((other) =>
        Math.max(0, p50 + (other - p50) * more),
      )
      return { p20: p20 ?? 0, p50, p80: p80 ?? 0, basis: legs === 0 ? 'default' : 'history', legs }
    },
    service:
      services.length < enough ? usualService : { ...spreadOf(services), basis: 'history', legs: services.length },
  }
}

interface Place {
  lat: number
  lon: number
}

/** A stop that is still to be served; `arrivedAt`: the vehicle stands there since then. */
export interface StopAhead extends Place {
  id: string
  radiusM: number
  zone: string
  arrivedAt: number | null
}

export interface Arrival {
  id: string
  at: number
  from: number
  to: number
  basis: 'history' | 'default'
  legs: number
}

/**
 * When a vehicle that was at a place at an instant arrives at the stops, in their sequence; no estimate of the one where it stands. The spreads
 * of a chain add up as those of things that have little to do with each other.
 */
export function arrivals(
  start: Place & { at: number },
  stops: readonly StopAhead[],
  habits: Habits,
  now: number,
): Arrival[] {
  const found: Arrival[] = []
  let place: Place = start
  let at = start.at
  let early = 0
  let late = 0
  let rests: Pick<Arrival, 'basis' | 'legs'> | null = null
  const pass = ({ p20, p50, p80 }: Spread) => {
    at += p50 * 1000
    early = together(early, (p50 - p20) * 1000)
    late = together(late, (p80 - p50) * 1000)
  }
  for (const stop of stops) {
    if (stop.arrivedAt === null) {
      const travel = habits.travel(Math.max(0, distanceM(place, stop) - stop.radiusM), timeOfLeg(at, stop.zone))
      pass(travel)
      rests = rests === null || travel.legs < rests.legs ? { basis: travel.basis, legs: travel.legs } : rests
      found.push({ id: stop.id, at, from: at - early, to: at + late, ...rests })
      pass(habits.service)
    } else {
      // It leaves now at the earliest.
      const left = (seconds: number) => Math.max(now, (stop.arrivedAt ?? now) + seconds * 1000)
      at = left(habits.service.p50)
      early = at - left(habits.service.p20)
      late = left(habits.service.p80) - at
    }
    place = stop
  }
  return found
}
