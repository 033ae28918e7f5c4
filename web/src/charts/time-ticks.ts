import { instantOf, localDayOf, plusDays } from '@isotherm/contract/zone-times.ts'

export interface TimeTick {
  at: number
  /** Midnight, or a month's first day: shown as a date. */
  isDay: boolean
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const withinDay = [
  minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
]
const days = [1, 2, 7, 14]
const months = [1, 2, 3, 6, 12]

/** Round times of a zone between two instants (ms), at most about `most`, aligned to its midnights whatever its clocks do. */
export function timeTicks(from: number, to: number, zone: string, most: number): TimeTick[] {
  const rough = (to - from) / Math.max(1, most)
  const step = withinDay.find((each) => each >= rough)
  if (step) return clockTicks(from, to, zone, step)
  const count = days.find((each) => each * day >= rough)
  if (count) return dayTicks(from, to, zone, count)
  return monthTicks(from, to, zone, months.find((each) => each * 30.5 * day >= rough) ?? 12)
}

const startOf = (date: string, zone: string) => Date.parse(instantOf(date, zone))

function clockTicks(from: number, to: number, zone: string, step: number): TimeTick[] {
  const ticks: TimeTick[] = []
  for (let date = localDayOf(from, zone), start = startOf(date, zone); start <= to; ) {
    const nextDate = plusDays(date, 1)
    const next = startOf(nextDate, zone)
    // Counting restarts at each midnight; the last tick keeps its distance on a day of 23 or 25 hours.
    for (let at = start; at < next - (at === start ? 0 : step / 2); at += step)
      if (at >= from && at <= to) ticks.push({ at, isDay: at === start })
    date = nextDate
    start = next
  }
  return ticks
}

function dayTicks(from: number, to: number, zone: string, count: number): TimeTick[] {
  const ticks: TimeTick[] = []
  const first = localDayOf(from, zone)
  // Aligned to a fixed calendar, so that ticks stay on their days while the period moves.
  const number = Math.floor(Date.parse(`${first}T00:00Z`) / day)
  for (let date = plusDays(first, -(number % count)); ; date = plusDays(date, count)) {
    const at = startOf(date, zone)
    if (at > to) return ticks
    if (at >= from) ticks.push({ at, isDay: true })
  }
}

function monthTicks(from: number, to: number, zone: string, count: number): TimeTick[] {
  const ticks: TimeTick[] = []
  const [year, month] = localDayOf(from, zone).split('-').map(Number) as [number, number]
  for (let index = year * 12 + month - 1 - ((month - 1) % count); ; index += count) {
    const date = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`
    const at = startOf(date, zone)
    if (at > to) return ticks
    if (at >= from) ticks.push({ at, isDay: true })
  }
}
