import { distanceM } from '../../server/src/domain/sphere.ts'
import { randomOf } from '../../simulator/src/random.ts'
import { drive } from '../../simulator/src/routes/drive.ts'
import { nearestKm, pointAt, routePath } from '../../simulator/src/routes/geometry.ts'
import { type RoadId, roads } from '../../simulator/src/routes/roads.ts'
import { type Fix, trajectories } from '../replay/data.ts'

/** A drive with the stops that it made, in their order. Instants in ms. */
export interface Trip {
  fixes: Fix[]
  stops: { lat: number; lon: number; arrivedAt: number; leftAt: number }[]
}

const dayS = 86_400
const firstDay = Date.UTC(2026, 8, 7) / 1000
const fixEveryS = 180

/** Drives of a van on one route: there and back on each of so many days, at another hour and pace each time. */
export function simulatedTrips(id: RoadId, days: number): Trip[] {
  const route = roads[id]
  const path = routePath(route)
  return Array.from({ length: 2 * days }, (_, index) => {
    const random = randomOf('estimates', id, index)
    const reverse = index % 2 === 1
    const departs = firstDay + Math.floor(index / 2) * dayS + Math.round(random.between(5, 19) * 3_600)
    const halts = route.halts.map(({ name, at, kind }) => ({
      ...{ km: nearestKm(path, at), name, kind, dwellS: Math.round(random.between(300, 2_400)) },
    }))
    const localHour = (at: number) => (at / 3_600) % 24
    const pace = Math.min(1.1, 0.95 + 0.06 * random.gauss())
    const journey = drive({ path, reverse, departs, localHour, pace, halts, random })
    const placeAt = (at: number) => {
      const [lat, lon] = pointAt(path, journey.kmAt(at))
      return { lat, lon }
    }
    const fixes: Fix[] = []
    for (let at = departs; at < journey.arrives; at += fixEveryS) fixes.push({ at: at * 1000, ...placeAt(at) })
    const visits = journey.visits.filter(({ kind }) => kind === 'delivery')
    const stops = [...visits, { from: journey.arrives, to: journey.arrives }].map(({ from, to }) => ({
      ...placeAt(from),
      ...{ arrivedAt: from * 1000, leftAt: to * 1000 },
    }))
    return { fixes, stops }
  })
}

const pieceM = 1_000
const silentMs = 180_000

/** Real drives, walks and rides, cut where they are so far from where they began; the only stop is the end of each piece. */
export function realTrips(): Trip[] {
  return [...trajectories(Date.UTC(2026, 10, 1)).values()].flatMap((fixes) => {
    const trips: Trip[] = []
    let piece: Fix[] = []
    for (const fix of fixes) {
      const [first, last] = [piece[0], piece.at(-1)]
      if (last && fix.at - last.at > silentMs) piece = []
      else if (first && distanceM(first, fix) >= pieceM) {
        trips.push({ fixes: piece, stops: [{ lat: fix.lat, lon: fix.lon, arrivedAt: fix.at, leftAt: fix.at }] })
        piece = []
      }
      piece.push(fix)
    }
    return trips
  })
}
