import { hashKey, slowNoiseAt } from '../random.ts'
import type { FixedWorld, TrackerSpec } from '../spec.ts'
import { ambientAt, saturationHpa } from './ambient.ts'
import { doorSpans, mishapsOf, powerCuts } from './habits.ts'
import { emptyScene, paint, paintSlow, type Scene } from './scene.ts'

/** A day of something that stands in a room: fridge, freezer, cold room. */
export function fixedScene(spec: TrackerSpec, world: FixedWorld, day: number): Scene {
  const [lat, lon] = world.at
  const key = hashKey(spec.seed, spec.imei, 'room')
  // A fix through a roof is poor: the tracker reports it with the accuracy it has.
  const scene = emptyScene((at) => ({
    lat,
    lon,
    accuracyM: 18 + 14 * Math.abs(slowNoiseAt(key, at, 7200, 3)),
    speedKmh: 0,
  }))
  paintSlow([scene.outsideC, scene.outsideHumidityPct], day, (at) => roomAt(world, key, at))
  for (const local of [day - 1, day, day + 1]) {
    for (const cut of powerCuts(spec, world.power, local)) {
      paint(scene.powered, day, { from: cut.from, to: cut.backupFrom }, 0)
      paint(scene.charging, day, { from: cut.from, to: cut.backupFrom }, 0)
    }
    for (const span of doorSpans(spec, world.doors, local)) {
      paint(scene.door, day, span, span.open * Math.min(1, (span.to - span.from) / 30))
      paint(scene.lux, day, span, world.doors.lux * span.open)
    }
  }
  for (const mishap of mishapsOf(spec, world.mishaps, day)) {
    if (mishap.kind === 'compressor') paint(scene.broken, day, mishap, 1)
    if (mishap.kind === 'thermostat') paint(scene.setShiftC, day, mishap, -5)
    if (mishap.kind === 'doorAjar') {
      paint(scene.door, day, mishap, 0.13)
      paint(scene.lux, day, mishap, world.doors.lux * 0.3)
    }
  }
  return scene
}

/** Air of the room: partly outside, partly a room kept at 24 C; the same water vapour at another temperature. */
function roomAt(world: FixedWorld, key: number, at: number): readonly [number, number] {
  const outside = ambientAt(world.at[0], world.at[1], at)
  const roomC =
    world.outsideShare * outside.temperatureC + (1 - world.outsideShare) * 24 + 0.5 * slowNoiseAt(key, at, 5400)
  const vapourHpa = (saturationHpa(outside.temperatureC) * outside.humidityPct) / 100
  return [roomC, Math.min(95, (100 * vapourHpa) / saturationHpa(roomC))]
}
