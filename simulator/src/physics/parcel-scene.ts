import { hashKey, slowNoiseAt, uniformAt } from '../random.ts'
import { type ParcelPlace, parcelAt, parcelWeek, weekIndex } from '../routes/parcel-trip.ts'
import type { TrackerSpec } from '../spec.ts'
import { ambientAt } from './ambient.ts'
import { daySeconds, emptyScene, type Fix, paint, paintSlow, type Scene } from './scene.ts'

/** A day of an insulated box of samples that flies Nairobi - Johannesburg and back every week. */
export function parcelScene(spec: TrackerSpec, day: number): Scene {
  const weeks = new Map(
    [day * daySeconds, (day + 1) * daySeconds].map((at) => [weekIndex(at), parcelWeek(spec.seed, weekIndex(at))]),
  )
  const key = hashKey(spec.seed, spec.imei, 'parcel')
  const placeAt = (at: number): ParcelPlace =>
    parcelAt(weeks.get(weekIndex(at)) ?? parcelWeek(spec.seed, weekIndex(at)), at)
  const scene = emptyScene((at) => parcelFix(placeAt(at), key, at))
  paintSlow([scene.outsideC, scene.outsideHumidityPct], day, (at) => surroundings(placeAt(at), key, at))
  scene.charging.fill(0)
  for (const week of weeks.values()) {
    for (const stage of week.stages) {
      if (stage.kind === 'road' || stage.kind === 'flight') paint(scene.moving, day, stage, 1)
    }
    for (const at of week.packed) {
      paint(scene.repacked, day, { from: at, to: at + 30 }, 1)
      paint(scene.charging, day, { from: at - 14 * 3600, to: at }, 1)
      paint(scene.lux, day, { from: at - 240, to: at + 60 }, 320)
    }
    for (const at of week.opened) {
      paint(scene.door, day, { from: at, to: at + 600 }, 1)
      paint(scene.lux, day, { from: at, to: at + 900 }, 380)
    }
  }
  return scene
}

function surroundings(place: ParcelPlace, key: number, at: number): readonly [number, number] {
  const outside = ambientAt(place.at[0], place.at[1], at)
  const drift = 0.5 * slowNoiseAt(key, at, 3600)
  if (place.inside === 'fridge') return [4.4 + drift, 50]
  if (place.inside === 'hold') return [12 + 2 * drift, 15]
  if (place.inside === 'room') return [22 + drift, 50]
  return [outside.temperatureC + (place.inside === 'van' ? 4 : 2), outside.humidityPct]
}

/** In the hold the receiver still hears a satellite now and then, badly. */
function parcelFix(place: ParcelPlace, key: number, at: number): Fix | null {
  const [lat, lon] = place.at
  if (place.inside === 'hold') {
    return uniformAt(key, at, 5) < 0.45
      ? { lat, lon, accuracyM: 120 + 260 * uniformAt(key, at, 6), speedKmh: place.speedKmh }
      : null
  }
  return { lat, lon, accuracyM: place.inside === 'van' ? 9 : 28, speedKmh: place.speedKmh }
}
