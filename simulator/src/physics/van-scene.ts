import { randomOf } from '../random.ts'
import { drive, type Journey } from '../routes/drive.ts'
import { nearestKm, type Path, pointAt, routePath } from '../routes/geometry.ts'
import { roads } from '../routes/roads.ts'
import { type TrackerSpec, utcOffsetH, type VanWorld } from '../spec.ts'
import { ambientAt, daylightLux } from './ambient.ts'
import { localTime, mishapsOf, weekday } from './habits.ts'
import { emptyScene, paint, paintSlow, type Scene, type Span } from './scene.ts'

export type VanDay = { journeys: readonly Journey[]; path: Path; startKm: number; loading: readonly Span[] }

/** The drives of one local day. Every departure and arrival lies within the UTC day of the same number. */
export function vanDay(spec: TrackerSpec, world: VanWorld, day: number): VanDay {
  const route = roads[world.road]
  const path = routePath(route)
  const random = randomOf(spec.seed, spec.imei, 'drive', day)
  const wday = weekday(day)
  const away = world.rhythm === 'alternate' && (wday === 2 || wday === 4 || wday === 6)
  const startKm = away ? path.lengthKm : 0
  const departs = localTime(spec, day, world.departH + random.between(-0.3, 0.4))
  const journeys: Journey[] = []
  const loading: Span[] = wday === 0 ? [] : [{ from: departs - 2400, to: departs - 600 }]
  const start = (reverse: boolean, at: number) =>
    drive({
      path,
      reverse,
      departs: at,
      pace: world.pace,
      random,
      localHour: (t) => (((t / 3600 + utcOffsetH[spec.country]) % 24) + 24) % 24,
      halts: route.halts
        .filter(() => random.chance(0.85))
        .map((halt) => ({
          km: nearestKm(path, halt.at),
          name: halt.name,
          kind: halt.kind,
          dwellS: (halt.kind === 'delivery' ? random.between(7, 22) : random.between(12, 35)) * 60,
        })),
    })
  if (wday !== 0) {
    const out = start(away, departs)
    journeys.push(out)
    loading.push({ from: out.arrives + 300, to: out.arrives + 300 + random.between(1500, 2700) })
    if (world.rhythm === 'return') journeys.push(start(true, out.arrives + random.between(3600, 6000)))
  }
  return { journeys, path, startKm, loading }
}

/** A day of a refrigerated van: on the road, at its stops with open doors, and standing at a depot on standby power. */
export function vanScene(spec: TrackerSpec, world: VanWorld, day: number): Scene {
  const today = vanDay(spec, world, day)
  const scene = emptyScene((at) => vanFix(today, at))
  const onTheRoad = (at: number) => today.journeys.some((j) => at >= j.departs && at <= j.arrives)
  paintSlow([scene.outsideC, scene.outsideHumidityPct], day, (at) => {
    const fix = vanFix(today, at)
    const outside = ambientAt(fix.lat, fix.lon, at)
    // A white box body in the sun is warmer than the air around it.
    const sunC = (daylightLux(fix.lon, at) / 28000) * (onTheRoad(at) ? 4 : 7)
    return [outside.temperatureC + sunC, outside.humidityPct]
  })
  scene.charging.fill(0)
  for (const journey of today.journeys) {
    paint(scene.moving, day, { from: journey.departs, to: journey.arrives }, 1)
    paint(scene.charging, day, { from: journey.departs, to: journey.arrives }, 1)
    for (const visit of journey.visits) {
      if (visit.kind === 'delivery') openDoor(spec, scene, today, day, { from: visit.from + 90, to: visit.to - 60 })
    }
  }
  for (const span of today.loading) openDoor(spec, scene, today, day, span)
  for (const mishap of mishapsOf(spec, world.mishaps, day)) {
    if (mishap.kind === 'compressor') paint(scene.broken, day, mishap, 1)
    if (mishap.kind === 'doorAjar') paint(scene.door, day, mishap, 0.25)
  }
  return scene
}

/** People hand things out: the door swings open for a while, falls to, opens again. */
function openDoor(spec: TrackerSpec, scene: Scene, today: VanDay, day: number, span: Span): void {
  const random = randomOf(spec.seed, spec.imei, 'tailgate', Math.round(span.from))
  for (let at = span.from; at < span.to; ) {
    const open = { from: at, to: Math.min(span.to, at + random.between(50, 160)) }
    const lux = 120 + daylightLux(vanFix(today, at).lon, at) * random.between(0.02, 0.12)
    paint(scene.door, day, open, random.between(0.4, 0.9))
    paint(scene.lux, day, open, lux)
    at = open.to + random.between(60, 240)
  }
}

function vanFix(today: VanDay, at: number): { lat: number; lon: number; accuracyM: number; speedKmh: number } {
  let km = today.startKm
  let speedKmh = 0
  for (const journey of today.journeys) {
    if (at < journey.departs) break
    km = journey.kmAt(at)
    speedKmh = at <= journey.arrives ? journey.speedKmhAt(at) : 0
  }
  const [lat, lon] = pointAt(today.path, km)
  return { lat, lon, accuracyM: 4, speedKmh }
}
