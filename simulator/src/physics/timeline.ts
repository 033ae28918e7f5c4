import type { TrackerSpec } from '../spec.ts'
import { type Carry, type DayTrace, freshCarry, simulateDay } from './day.ts'
import { daySeconds } from './scene.ts'

/**
 * Every fifth Sunday at midnight the physics starts afresh from a seeded state, so any instant is reached from a fixed start nearby.
 * Then vans stand at home, cold boxes are dead and the parcel is in its fridge: hardly anything is to be seen of it.
 */
const blockDays = 35
const firstSunday = 3
const blockOf = (day: number) => Math.floor((day - firstSunday) / blockDays) * blockDays + firstSunday
const keptDays = 4

/** A tracker's days, made on demand. The day with a number is always the same day, whatever was asked for before it. */
export type Timeline = { dayAt: (at: number) => DayTrace }

export function timelineOf(spec: TrackerSpec): Timeline {
  const starts = new Map<number, Carry>()
  const traces = new Map<number, DayTrace>()

  const run = (day: number, start: Carry): DayTrace => {
    const { trace, end } = simulateDay(spec, day, start)
    if (blockOf(day + 1) !== day + 1) starts.set(day + 1, end)
    traces.set(day, trace)
    for (const old of traces.keys()) {
      if (traces.size <= keptDays) break
      traces.delete(old)
    }
    return trace
  }

  const dayTrace = (day: number): DayTrace => {
    const known = traces.get(day)
    if (known) return known
    const block = blockOf(day)
    let from = day
    while (from > block && !starts.has(from)) from--
    for (let d = from; d < day; d++) run(d, starts.get(d) ?? freshCarry(spec, d))
    return run(day, starts.get(day) ?? freshCarry(spec, day))
  }

  return { dayAt: (at) => dayTrace(Math.floor(at / daySeconds)) }
}
