import type { Correction, CorrectionQuestion } from '@isotherm/contract/places.ts'
import { cleaning } from '../../domain/path.ts'
import { workInTurns } from '../../platform/loop/turns.ts'

const iso = (at: number) => new Date(at).toISOString()
const exact = ({ lat, lon }: { lat: number; lon: number }) => ({
  lat: Math.round(lat * 1e6) / 1e6,
  lon: Math.round(lon * 1e6) / 1e6,
})

/** The cleaned path of raw fixes, with the names of the towns it stopped in. */
export async function correct(
  { fixes, toleranceM, maxSpeedKmh }: CorrectionQuestion,
  nearestTownName: (lat: number, lon: number) => string | null,
): Promise<Correction> {
  const raw = fixes.map(({ at, lat, lon, accuracyM }) => ({ at: Date.parse(at), lat, lon, accuracyM: accuracyM ?? 0 }))
  const { path, stops, removed, lengthM } = await workInTurns(cleaning(raw, { toleranceM, maxSpeedKmh }))
  const last = path.at(-1)
  return {
    path: path.map((fix) => ({ at: iso(fix.at), ...exact(fix) })),
    stops: stops.map((stop) => ({
      from: iso(stop.from),
      to: iso(stop.to),
      ...exact(stop),
      fixes: stop.fixes,
      placeName: nearestTownName(stop.lat, stop.lon),
    })),
    removed,
    lengthM: Math.round(lengthM),
    placeName: last ? nearestTownName(last.lat, last.lon) : null,
  }
}
