import { hashKey, randomOf, slowNoiseAt } from '../random.ts'
import { type Round, roundIndex, roundOf, sailedAt } from '../routes/voyage.ts'
import type { TrackerSpec } from '../spec.ts'
import { ambientAt, daylightLux } from './ambient.ts'
import { daySeconds, emptyScene, type Fix, paint, paintSlow, type Scene, type Span } from './scene.ts'

/** A day of a reefer container on its way Durban - Cape Town - Tema - Apapa and back. */
export function containerScene(spec: TrackerSpec, day: number): Scene {
  const rounds = [...new Set([roundIndex(day * daySeconds), roundIndex((day + 1) * daySeconds)])].map((i) =>
    roundOf(spec.seed, i),
  )
  const swell = hashKey(spec.seed, spec.imei, 'swell')
  const scene = emptyScene((at) => containerFix(rounds, swell, at))
  paintSlow([scene.outsideC, scene.outsideHumidityPct], day, (at) => {
    const fix = containerFix(rounds, swell, at)
    const outside = ambientAt(fix.lat, fix.lon, at, true)
    return [outside.temperatureC + (daylightLux(fix.lon, at) / 28000) * 5, outside.humidityPct]
  })
  for (const round of rounds) {
    for (const sailing of round.sailings) paint(scene.moving, day, { from: sailing.departs, to: sailing.arrives }, 1)
    for (const span of unplugged(spec, round)) {
      paint(scene.powered, day, span, 0)
      paint(scene.charging, day, span, 0)
    }
    for (const { span, open } of openings(spec, round)) {
      paint(scene.door, day, span, open)
      paint(scene.lux, day, span, 150 + 3000 * open)
    }
  }
  return scene
}

/** The crane takes it off its socket at the start and the end of every stay in port. */
function unplugged(spec: TrackerSpec, round: Round): Span[] {
  const random = randomOf(spec.seed, spec.imei, 'crane', round.begins)
  return round.stays.flatMap((stay) =>
    [stay.from + random.between(1.5, 4) * 3600, stay.to - random.between(2, 4.5) * 3600].map((from) => ({
      from,
      to: from + random.between(30, 105) * 60,
    })),
  )
}

/** Loading in Durban, customs inspection in Apapa: doors open in the heat. */
function openings(spec: TrackerSpec, round: Round): { span: Span; open: number }[] {
  const random = randomOf(spec.seed, spec.imei, 'customs', round.begins)
  const loaded = round.begins + random.between(12, 18) * 3600
  const apapa = round.stays.find((stay) => stay.port === 'Apapa')
  const found = [{ span: { from: loaded, to: loaded + random.between(45, 80) * 60 }, open: 0.5 }]
  if (apapa) {
    const inspected = apapa.from + random.between(14, 20) * 3600
    found.push({ span: { from: inspected, to: inspected + random.between(100, 190) * 60 }, open: 0.6 })
  }
  return found
}

function containerFix(rounds: readonly Round[], swell: number, at: number): Fix {
  const round = rounds.find((r) => at < r.ends) ?? rounds[rounds.length - 1]
  if (!round) throw new RangeError('a container needs a round')
  const sailing = round.sailings.find((s) => at >= s.departs && at < s.arrives)
  if (sailing) {
    const {
      at: [lat, lon],
      speedKmh,
    } = sailedAt(sailing, at)
    return { lat, lon, accuracyM: 5, speedKmh: Math.max(0, speedKmh + 0.9 * slowNoiseAt(swell, at, 3600)) }
  }
  const stay = round.stays.find((s) => at >= s.from && at < s.to) ?? round.stays[round.stays.length - 1]
  const [lat, lon] = stay?.at ?? [0, 0]
  return { lat, lon, accuracyM: 9, speedKmh: 0 }
}
