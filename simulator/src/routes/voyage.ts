import { randomOf } from '../random.ts'
import { type LatLon, type Path, pointAt, smooth } from './geometry.ts'
import { apapaDurban, capeTownTema, durbanCapeTown, type Lane, temaApapa } from './sea-lane.ts'

const hour = 3600
const knotKmh = 1.852
const pilotageKm = 14
const pilotageKmh = 13

/** The container's round takes 28 days; rounds are counted from the epoch, shifted so that they begin on a Friday in Durban. */
export const roundS = 28 * 86400
const roundShiftS = 22 * 86400

export type Sailing = { lane: Lane; path: Path; departs: number; arrives: number }
export type PortStay = { port: string; at: LatLon; from: number; to: number }
export type Round = { sailings: readonly Sailing[]; stays: readonly PortStay[]; begins: number; ends: number }

/** Hours in Durban before sailing, then at Cape Town, Tema and Apapa. */
const stayH = [46, 26, 30, 62]

export function roundIndex(at: number): number {
  return Math.floor((at - roundShiftS) / roundS)
}

/** One round trip of the container; epoch seconds. Departures differ by some hours from round to round. */
export function roundOf(seed: string, index: number): Round {
  const random = randomOf(seed, 'voyage', index)
  const begins = index * roundS + roundShiftS
  const sailings: Sailing[] = []
  const stays: PortStay[] = []
  let now = begins
  for (const [i, lane] of [durbanCapeTown, capeTownTema, temaApapa, apapaDurban].entries()) {
    const departs = now + ((stayH[i] ?? 24) + random.between(-5, 5)) * hour
    const path = lanePath(lane)
    stays.push({ port: lane.from, at: berth(lane), from: now, to: departs })
    const arrives = departs + sailingS(path, lane)
    sailings.push({ lane, path, departs, arrives })
    now = arrives
  }
  const ends = begins + roundS
  stays.push({ port: 'Durban', at: berth(durbanCapeTown), from: now, to: ends })
  return { sailings, stays, begins, ends }
}

const paths = new WeakMap<Lane, Path>()

export function lanePath(lane: Lane): Path {
  const known =
    paths.get(lane) ??
    smooth(
      lane.via,
      lane.via.map(() => 'road'),
      8,
    )
  paths.set(lane, known)
  return known
}

function berth(lane: Lane): LatLon {
  return pointAt(lanePath(lane), 0)
}

function sailingS(path: Path, lane: Lane): number {
  return ((path.lengthKm - 2 * pilotageKm) / (lane.knots * knotKmh) + (2 * pilotageKm) / pilotageKmh) * hour
}

/** Slow in pilot waters at both ends, steady in between. */
export function sailedAt(sailing: Sailing, at: number): { at: LatLon; speedKmh: number } {
  const cruise = sailing.lane.knots * knotKmh
  const slowH = pilotageKm / pilotageKmh
  const inH = (at - sailing.departs) / hour
  const leftH = (sailing.arrives - at) / hour
  if (inH < slowH) return { at: pointAt(sailing.path, inH * pilotageKmh), speedKmh: pilotageKmh }
  if (leftH < slowH)
    return { at: pointAt(sailing.path, sailing.path.lengthKm - leftH * pilotageKmh), speedKmh: pilotageKmh }
  return { at: pointAt(sailing.path, pilotageKm + (inH - slowH) * cruise), speedKmh: cruise }
}
