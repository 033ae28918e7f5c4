import { type Random, randomOf } from '../random.ts'
import { type DoorHabit, type Mishaps, type PowerHabit, type TrackerSpec, utcOffsetH } from '../spec.ts'
import { daySeconds, type Span } from './scene.ts'

export type DoorSpan = Span & { open: number }

/** Weekday in the tracker's zone of the local day that has this day number, 0 = Sunday. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** Epoch seconds of a local hour on a local day. */
export function localTime(spec: TrackerSpec, day: number, hour: number): number {
  return day * daySeconds + (hour - utcOffsetH[spec.country]) * 3600
}

/** When the door is opened on one local day: many short visits, busiest mid-morning, a few long ones for restocking. */
export function doorSpans(spec: TrackerSpec, habit: DoorHabit, day: number): DoorSpan[] {
  const random = randomOf(spec.seed, spec.imei, 'doors', day)
  const share = weekday(day) === 0 ? habit.sundayShare : 1
  const count = Math.round(habit.perDay * share * random.between(0.7, 1.3))
  const spans: DoorSpan[] = []
  for (let i = 0; i < count; i++) {
    const hour = habit.fromH + ((habit.toH - habit.fromH) * (random.next() + random.next())) / 2
    const from = localTime(spec, day, hour)
    const restock = random.chance(0.05)
    const seconds = Math.min(480, Math.max(8, random.exponential(habit.meanS)) * (restock ? 4 : 1))
    spans.push({ from, to: from + seconds, open: restock ? 0.8 : random.between(0.5, 1) })
  }
  return spans.sort((a, b) => a.from - b.from)
}

export type PowerCut = Span & { backupFrom: number }

/** Power cuts that begin on one local day: often in the hot afternoon and the evening. */
export function powerCuts(spec: TrackerSpec, habit: PowerHabit, day: number): PowerCut[] {
  const random = randomOf(spec.seed, spec.country, Math.round(habit.meanMin), spec.imei, 'power', day)
  const cuts: PowerCut[] = []
  for (let i = 0; i < 4; i++) {
    if (!random.chance(Math.min(1, habit.cutsPerDay / 4))) continue
    const hour = random.chance(0.6) ? random.between(13, 22) : random.between(0, 24)
    const from = localTime(spec, day, hour)
    const to = from + Math.min(5 * 3600, Math.max(240, random.exponential(habit.meanMin * 60)))
    const backup = habit.backupAfterMin === undefined ? to : from + habit.backupAfterMin * 60 * random.between(0.6, 1.8)
    cuts.push({ from, to, backupFrom: Math.min(to, backup) })
  }
  return cuts
}

export type MishapKind = 'doorAjar' | 'compressor' | 'thermostat'
export type Mishap = Span & { kind: MishapKind }

/** The mishaps that touch one UTC day: one of each kind in every stretch of so many days. */
export function mishapsOf(spec: TrackerSpec, mishaps: Mishaps, day: number): Mishap[] {
  const found: Mishap[] = []
  const plan: [MishapKind, number | undefined][] = [
    ['doorAjar', mishaps.doorAjarDays],
    ['compressor', mishaps.compressorDays],
    ['thermostat', mishaps.thermostatDays],
  ]
  for (const [kind, everyDays] of plan) {
    if (everyDays === undefined) continue
    const stretch = Math.floor(day / everyDays)
    for (const index of [stretch - 1, stretch]) {
      const span = mishapIn(spec, kind, index, everyDays)
      if (span.to > day * daySeconds && span.from < (day + 1) * daySeconds) found.push({ ...span, kind })
    }
  }
  return found
}

function mishapIn(spec: TrackerSpec, kind: MishapKind, stretch: number, everyDays: number): Span {
  const random = randomOf(spec.seed, spec.imei, kind, stretch)
  const day = stretch * everyDays + Math.floor(random.next() * everyDays)
  const from = localTime(spec, day, startHour(kind, random))
  return { from, to: from + durationH(kind, random) * 3600 }
}

function startHour(kind: MishapKind, random: Random): number {
  return kind === 'doorAjar' ? random.between(9, 17) : random.between(0, 24)
}

function durationH(kind: MishapKind, random: Random): number {
  if (kind === 'doorAjar') return random.between(0.5, 1.6)
  return kind === 'compressor' ? random.between(2.5, 6.5) : random.between(5, 16)
}
