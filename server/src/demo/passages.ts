import { parcelWeek, weekIndex } from '@isotherm/simulator/routes/parcel-trip.ts'
import { roundIndex, roundOf } from '@isotherm/simulator/routes/voyage.ts'

const seed = 'demo'
const date = (seconds: number) => new Date(seconds * 1000)
const secondsOf = (at: Date) => at.getTime() / 1000

/** The time between a departure and an arrival. */
export interface Stretch {
  departs: Date
  arrives: Date
}

/** A passage of the fleet's container, from when it is free at its first port until it is at its last: one follows the other. */
export interface Passage {
  isNorthbound: boolean
  begins: Date
  /** Northbound Durban, Cape Town, Tema, Apapa; back without a call. */
  sailings: Stretch[]
}

/** The passage that the container is on, and the one before it. */
export function passagesAt(now: Date): { before: Passage; current: Passage } {
  const index = roundIndex(secondsOf(now))
  const rounds = [index - 2, index - 1, index, index + 1].map((each) => roundOf(seed, each))
  const all = rounds.flatMap(({ sailings, stays }, at): Passage[] => {
    const [durban, , , apapa] = stays
    const stretches = sailings.map(({ departs, arrives }) => ({ departs: date(departs), arrives: date(arrives) }))
    // It is in Durban since the round before.
    const free = rounds[at - 1]?.stays.at(-1)?.from ?? durban?.from ?? 0
    return [
      { isNorthbound: true, begins: date(free), sailings: stretches.slice(0, 3) },
      { isNorthbound: false, begins: date(apapa?.from ?? 0), sailings: stretches.slice(3) },
    ]
  })
  const at = all.findLastIndex(({ begins }) => begins <= now)
  const [before, current] = [all[at - 1], all[at]]
  if (!before || !current) throw new RangeError('rounds follow each other')
  return { before, current }
}

/** A trip of the fleet's parcel between Nairobi and Johannesburg. */
export interface Trip {
  isOutbound: boolean
  /** When it was packed. */
  begins: Date
  flight: Stretch
}

/** The trip that the parcel is on: it is packed for the way out on Tuesdays, for the way home on Fridays. */
export function tripAt(now: Date): Trip {
  const index = weekIndex(secondsOf(now))
  const trips = [index - 1, index].flatMap((week): Trip[] => {
    const { packed, stages } = parcelWeek(seed, week)
    const flights = stages.filter((stage) => stage.kind === 'flight')
    return packed.map((at, way) => ({
      ...{ isOutbound: way === 0, begins: date(at) },
      flight: { departs: date(flights[way]?.from ?? at), arrives: date(flights[way]?.to ?? at) },
    }))
  })
  const trip = trips.findLast(({ begins }) => begins <= now)
  if (!trip) throw new RangeError('a parcel is always on a trip')
  return trip
}
