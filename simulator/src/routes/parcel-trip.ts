import { randomOf } from '../random.ts'
import { distanceKm, type LatLon, type Path, pointAt, smooth } from './geometry.ts'

const hour = 3600
const weekS = 7 * 86400
/** 1970-01-01 was a Thursday; weeks are counted from Monday 00:00 UTC. */
const mondayShiftS = 4 * 86400

const nairobiLab: LatLon = [-1.3007, 36.8068]
const nairobiAirport: LatLon = [-1.329, 36.925]
const johannesburgAirport: LatLon = [-26.134, 28.231]
const johannesburgLab: LatLon = [-26.129, 28.118]

const toNairobiAirport = smooth(
  [
    nairobiLab,
    [-1.304, 36.8262],
    [-1.3195, 36.844],
    [-1.329, 36.879],
    [-1.336, 36.898],
    [-1.333, 36.913],
    nairobiAirport,
  ],
  Array.from({ length: 7 }, () => 'city'),
  0.8,
)
const toJohannesburgLab = smooth(
  [johannesburgAirport, [-26.144, 28.219], [-26.156, 28.19], [-26.153, 28.156], [-26.143, 28.13], johannesburgLab],
  Array.from({ length: 6 }, () => 'city'),
  0.8,
)

type Stage =
  | { kind: 'stay'; from: number; at: LatLon; inside: 'fridge' | 'room' | 'shed' }
  | { kind: 'road'; from: number; to: number; path: Path; reverse: boolean }
  | { kind: 'flight'; from: number; to: number; a: LatLon; b: LatLon }

/** One week of the parcel: out on Wednesday, home on Friday. Epoch seconds. */
export type ParcelWeek = {
  stages: readonly Stage[]
  packed: readonly number[]
  opened: readonly number[]
  silent: readonly { from: number; to: number }[]
}

export function weekIndex(at: number): number {
  return Math.floor((at - mondayShiftS) / weekS)
}

export function parcelWeek(seed: string, index: number): ParcelWeek {
  const random = randomOf(seed, 'parcel', index)
  const monday = index * weekS + mondayShiftS
  const t = (day: number, h: number, jitterMin = 20) =>
    monday + (day * 24 + h) * hour + random.between(-jitterMin, jitterMin) * 60
  const collected = t(1, 15)
  const takeOff = t(2, 4.75)
  const landed = takeOff + flightS(nairobiAirport, johannesburgAirport)
  const released = t(2, 13)
  const back = t(4, 10.2, 10)
  const takeOffHome = t(4, 13.2)
  const landedHome = takeOffHome + flightS(johannesburgAirport, nairobiAirport)
  const home = t(5, 6)
  // In some weeks customs keeps the box a day longer than its ice lasts.
  const opened = random.chance(0.35) ? t(4, 4) : t(3, 7)
  return {
    stages: [
      { kind: 'stay', from: monday, at: nairobiLab, inside: 'fridge' },
      { kind: 'stay', from: t(1, 12), at: nairobiLab, inside: 'room' },
      { kind: 'road', from: collected, to: collected + 2700, path: toNairobiAirport, reverse: false },
      { kind: 'stay', from: collected + 2700, at: nairobiAirport, inside: 'shed' },
      { kind: 'flight', from: takeOff, to: landed, a: nairobiAirport, b: johannesburgAirport },
      { kind: 'stay', from: landed, at: johannesburgAirport, inside: 'shed' },
      { kind: 'road', from: released, to: released + 2300, path: toJohannesburgLab, reverse: false },
      { kind: 'stay', from: released + 2300, at: johannesburgLab, inside: 'room' },
      { kind: 'road', from: back, to: back + 2500, path: toJohannesburgLab, reverse: true },
      { kind: 'stay', from: back + 2500, at: johannesburgAirport, inside: 'shed' },
      { kind: 'flight', from: takeOffHome, to: landedHome, a: johannesburgAirport, b: nairobiAirport },
      { kind: 'stay', from: landedHome, at: nairobiAirport, inside: 'shed' },
      { kind: 'road', from: home, to: home + 2600, path: toNairobiAirport, reverse: true },
      { kind: 'stay', from: home + 2600, at: nairobiLab, inside: 'fridge' },
    ],
    packed: [t(1, 12), t(4, 8.5)],
    opened: [opened, home + 5400],
    silent: [
      { from: takeOff - 2400, to: landed + 1500 },
      { from: takeOffHome - 2400, to: landedHome + 1500 },
    ],
  }
}

function flightS(a: LatLon, b: LatLon): number {
  return (distanceKm(a, b) / 800 + 0.35) * hour
}

export type ParcelPlace = { at: LatLon; speedKmh: number; inside: 'fridge' | 'room' | 'shed' | 'van' | 'hold' }

export function parcelAt(week: ParcelWeek, at: number): ParcelPlace {
  const stage = [...week.stages].reverse().find((s) => at >= s.from) ?? week.stages[0]
  if (!stage) throw new RangeError('a parcel week has stages')
  if (stage.kind === 'stay') return { at: stage.at, speedKmh: 0, inside: stage.inside }
  const u = Math.min(1, (at - stage.from) / (stage.to - stage.from))
  if (stage.kind === 'flight') return flying(stage.a, stage.b, u, stage.to - stage.from)
  const km = stage.path.lengthKm * (stage.reverse ? 1 - u : u)
  return {
    at: pointAt(stage.path, km),
    speedKmh: stage.path.lengthKm / ((stage.to - stage.from) / hour),
    inside: 'van',
  }
}

/** On the great circle; the first and last 8 % of the time climbing and descending at a lower speed. */
function flying(a: LatLon, b: LatLon, u: number, seconds: number): ParcelPlace {
  const ramp = 0.08
  const cruise = 1 / (1 - ramp)
  const done =
    u < ramp
      ? (cruise * u * u) / (2 * ramp)
      : u > 1 - ramp
        ? 1 - (cruise * (1 - u) ** 2) / (2 * ramp)
        : cruise * (u - ramp / 2)
  const share = Math.min(1, u / ramp, (1 - u) / ramp) * cruise
  return { at: greatCircle(a, b, done), speedKmh: (share * distanceKm(a, b)) / (seconds / hour), inside: 'hold' }
}

/** The point a share of the way along the great circle (spherical linear interpolation). */
export function greatCircle(a: LatLon, b: LatLon, share: number): LatLon {
  const angle = distanceKm(a, b) / 6371.0088
  const [p, q] = [a, b].map(([lat, lon]) => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180]
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const
  })
  if (!p || !q || angle === 0) return a
  const [wa, wb] = [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)]
  const [x, y, z] = [wa * p[0] + wb * q[0], wa * p[1] + wb * q[1], wa * p[2] + wb * q[2]]
  return [(Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI, (Math.atan2(y, x) * 180) / Math.PI]
}
