import type { Random } from '../random.ts'
import { kindAt, type Path, type RoadKind } from './geometry.ts'

export type PlannedHalt = { km: number; dwellS: number; name: string; kind: 'delivery' | 'rest' }
export type Visit = { name: string; kind: 'delivery' | 'rest'; from: number; to: number }

/** A drive along a path: where it is at every moment, and where it stood. Times in epoch seconds. */
export type Journey = {
  departs: number
  arrives: number
  visits: readonly Visit[]
  kmAt: (at: number) => number
  speedKmhAt: (at: number) => number
}

export type DriveOptions = {
  path: Path
  /** From the path's end to its beginning. */
  reverse: boolean
  departs: number
  /** Local hour of an instant, for the rush hours. */
  localHour: (at: number) => number
  pace: number
  halts: readonly PlannedHalt[]
  random: Random
}

const tickS = 5
const usualKmh: Record<RoadKind, number> = { city: 42, town: 46, road: 76, highway: 93, pass: 55 }
const lightsPerKm: Record<RoadKind, number> = { city: 0.75, town: 0.5, road: 0.01, highway: 0.004, pass: 0.02 }
const accelerationMs2 = 0.8
const brakingMs2 = 1.1

/** Drives the path second by second: road kinds, rush hours, lights, queues, planned halts, finite acceleration and braking. */
export function drive(options: DriveOptions): Journey {
  const { path, departs, random } = options
  const halts = planHalts(options)
  const flow = Array.from({ length: Math.ceil(path.lengthKm / 2) + 2 }, () =>
    Math.min(1.1, 0.92 + 0.1 * random.gauss()),
  )
  const km: number[] = [0]
  const visits: Visit[] = []
  let done = 0,
    speed = 0,
    waitS = 0,
    next = 0
  // 30 hours bound a drive that a bad route would never end.
  for (let tick = 1; done < path.lengthKm - 0.002 && tick < 30 * 720; tick++) {
    const at = departs + tick * tickS
    const halt = halts[next]
    if (waitS > 0) {
      waitS -= tickS
      speed = 0
    } else {
      const wanted = wantedMs(options, flow, done, at)
      const aheadM = ((halt?.km ?? path.lengthKm) - done) * 1000
      const brake = Math.sqrt(2 * brakingMs2 * Math.max(0, aheadM - 1))
      speed = Math.max(0.6, Math.min(speed + accelerationMs2 * tickS, wanted, brake))
      done += Math.min(speed * tickS, Math.max(0, aheadM)) / 1000
      if (halt && done >= halt.km - 0.004) {
        done = halt.km
        waitS = halt.dwellS
        next++
        if (halt.visit) visits.push({ ...halt.visit, from: at, to: at + halt.dwellS })
      }
    }
    km.push(done)
  }
  return journeyOf(options, Float32Array.from(km), visits)
}

type Halt = { km: number; dwellS: number; visit?: { name: string; kind: 'delivery' | 'rest' } }

/** Planned halts and the lights and queues met on the way, in the order they are driven. */
function planHalts({ path, reverse, halts, random }: DriveOptions): Halt[] {
  const all: Halt[] = halts.map((halt) => ({
    km: reverse ? path.lengthKm - halt.km : halt.km,
    dwellS: halt.dwellS,
    visit: { name: halt.name, kind: halt.kind },
  }))
  for (let km = 0.4; km < path.lengthKm - 0.4; km += 0.5) {
    const kind = kindAt(path, reverse ? path.lengthKm - km : km)
    if (random.chance(lightsPerKm[kind] * 0.5))
      all.push({ km: km + random.between(0, 0.3), dwellS: random.between(10, 75) })
  }
  return all.sort((a, b) => a.km - b.km)
}

function wantedMs(options: DriveOptions, flow: readonly number[], done: number, at: number): number {
  const kind = kindAt(options.path, options.reverse ? options.path.lengthKm - done : done)
  const rush = kind === 'city' || kind === 'town' ? rushShare(options.localHour(at)) : 1
  const ease = flow[Math.floor(done / 2)] ?? 1
  return Math.min(usualKmh[kind] * ease * rush * options.pace, 110) / 3.6
}

/** Share of free-flow speed in town by local hour: mornings and evenings crawl. */
export function rushShare(hour: number): number {
  const peak = (middle: number, width: number) => Math.exp(-(((hour - middle) / width) ** 2))
  return 1 - 0.5 * peak(7.8, 1.2) - 0.55 * peak(17.6, 1.6)
}

function journeyOf({ path, reverse, departs }: DriveOptions, km: Float32Array, visits: readonly Visit[]): Journey {
  const last = km.length - 1
  const drivenAt = (at: number) => {
    const tick = Math.min(last, Math.max(0, (at - departs) / tickS))
    const whole = Math.floor(tick)
    const a = km[whole] ?? 0
    return a + ((km[Math.min(last, whole + 1)] ?? a) - a) * (tick - whole)
  }
  return {
    departs,
    arrives: departs + last * tickS,
    visits,
    kmAt: (at) => (reverse ? path.lengthKm - drivenAt(at) : drivenAt(at)),
    speedKmhAt: (at) => Math.max(0, ((drivenAt(at + tickS) - drivenAt(at - tickS)) / (2 * tickS)) * 3600),
  }
}
