import { hourMs } from './rollup.ts'

/** An hour of a probe: its warmest and its coldest reading (hundredths of a degree), and the instants of its first and its last one (ms). */
export interface ProbeHour {
  hour: number
  warmest: number
  coldest: number
  firstAt: number
  lastAt: number
}

export interface ProbeReading {
  at: number
  celsius: number
}

/** The hours of readings in whatever order they come, joined to those of before; the earliest first. */
export function joinHours(hours: readonly ProbeHour[], readings: Iterable<ProbeReading>): ProbeHour[] {
  const byHour = new Map(hours.map((one) => [one.hour, { ...one }]))
  for (const { at, celsius } of readings) {
    const hour = Math.floor(at / hourMs) * hourMs
    const known = byHour.get(hour)
    if (!known) byHour.set(hour, { hour, warmest: celsius, coldest: celsius, firstAt: at, lastAt: at })
    else {
      known.warmest = Math.max(known.warmest, celsius)
      known.coldest = Math.min(known.coldest, celsius)
      known.firstAt = Math.min(known.firstAt, at)
      known.lastAt = Math.max(known.lastAt, at)
    }
  }
  return [...byHour.values()].sort((a, b) => a.hour - b.hour)
}
