import { hashKey, randomOf, slowNoiseAt } from '../random.ts'
import { drive, type Journey } from '../routes/drive.ts'
import { nearestKm, type Path, pointAt, routePath } from '../routes/geometry.ts'
import { roads } from '../routes/roads.ts'
import { type ColdBoxWorld, type TrackerSpec, utcOffsetH } from '../spec.ts'
import { ambientAt, daylightLux } from './ambient.ts'
import { localTime, weekday } from './habits.ts'
import {
  daySeconds,
  emptyScene,
  type Fix,
  paint,
  paintSlow,
  type Scene,
  type Span,
  stepS,
  stepsPerDay,
} from './scene.ts'

type Outing = { path: Path; journeys: readonly Journey[]; sessions: readonly Span[]; freshIce: boolean; packed: number }

/** The trip of one local day, or null on a day the box stays in the store. */
export function outingOf(spec: TrackerSpec, world: ColdBoxWorld, day: number): Outing | null {
  const since = (weekday(day) - world.packDay + 7) % 7
  if (since >= world.outingDays) return null
  const route = roads[world.road]
  const path = routePath(route)
  const random = randomOf(spec.seed, spec.imei, 'outing', day)
  const packed = localTime(spec, day, world.packH)
  const common = {
    path,
    pace: 0.85,
    random,
    localHour: (t: number) => (((t / 3600 + utcOffsetH[spec.country]) % 24) + 24) % 24,
  }
  const out = drive({
    ...common,
    reverse: false,
    departs: packed + random.between(2400, 4200),
    halts: route.halts.map((halt) => ({
      km: nearestKm(path, halt.at),
      name: halt.name,
      kind: halt.kind,
      dwellS: random.between(70, 120) * 60,
    })),
  })
  const last = { from: out.arrives + 600, to: out.arrives + 600 + random.between(60, 100) * 60 }
  const home = drive({ ...common, reverse: true, departs: last.to + 900, halts: [] })
  const sessions = [...out.visits.map(({ from, to }) => ({ from, to })), last]
  return { path, journeys: [out, home], sessions, freshIce: since === 0 || random.chance(0.85), packed }
}

/** A day of a vaccine cold box: packed with ice, driven to villages, opened for every child; silent once its battery is empty. */
export function coldBoxScene(
  spec: TrackerSpec,
  world: ColdBoxWorld,
  day: number,
): Scene & { batteryPct: Float32Array } {
  const outing = outingOf(spec, world, day)
  const key = hashKey(spec.seed, spec.imei, 'box')
  const scene = emptyScene((at) => boxFix(world, outing, at))
  paintSlow([scene.outsideC, scene.outsideHumidityPct], day, (at) => {
    const fix = boxFix(world, outing, at)
    const outside = ambientAt(fix.lat, fix.lon, at)
    const away = outing?.journeys.some((j) => at > j.departs) && at < (outing.journeys[1]?.arrives ?? 0)
    const shelterC = away ? 1.5 : -2
    return [outside.temperatureC + shelterC + 0.4 * slowNoiseAt(key, at, 3600), outside.humidityPct]
  })
  scene.charging.fill(0)
  if (outing) {
    for (const journey of outing.journeys) paint(scene.moving, day, { from: journey.departs, to: journey.arrives }, 1)
    for (const session of outing.sessions) openLid(spec, scene, outing, day, session)
    if (outing.freshIce) paint(scene.repacked, day, { from: outing.packed, to: outing.packed + stepS }, 1)
  }
  return { ...scene, batteryPct: batteryOf(spec, world, day) }
}

function openLid(spec: TrackerSpec, scene: Scene, outing: Outing, day: number, session: Span): void {
  const random = randomOf(spec.seed, spec.imei, 'lid', Math.round(session.from))
  for (let at = session.from + 120; at < session.to - 60; at += random.between(150, 480)) {
    const open = { from: at, to: at + random.between(15, 50) }
    const journey = outing.journeys[0]
    const lon = journey ? pointAt(outing.path, journey.kmAt(at))[1] : 0
    paint(scene.door, day, open, 0.6)
    paint(scene.lux, day, open, 200 + daylightLux(lon, at) * random.between(0.05, 0.3))
  }
}

/** Full when packed, then straight down to nothing. */
function batteryOf(spec: TrackerSpec, world: ColdBoxWorld, day: number): Float32Array {
  const battery = new Float32Array(stepsPerDay)
  for (let step = 0; step < stepsPerDay; step++) {
    const at = day * daySeconds + step * stepS
    let packed = localTime(spec, day - ((weekday(day) - world.packDay + 7) % 7), world.packH)
    if (packed > at) packed -= 7 * daySeconds
    battery[step] = Math.max(0, 100 * (1 - (at - packed) / (world.batteryH * 3600)))
  }
  return battery
}

function boxFix(world: ColdBoxWorld, outing: Outing | null, at: number): Fix {
  const path = outing?.path ?? routePath(roads[world.road])
  let km = 0
  let speedKmh = 0
  for (const journey of outing?.journeys ?? []) {
    if (at < journey.departs) break
    km = journey.kmAt(at)
    speedKmh = at <= journey.arrives ? journey.speedKmhAt(at) : 0
  }
  const [lat, lon] = pointAt(path, km)
  return { lat, lon, accuracyM: 6, speedKmh }
}
