import { dayMs, instantAt, minuteOfDay, wallAt } from '@isotherm/contract/zone-times.ts'

/** When quiet hours end, if an instant lies in them; null where it does not. Local times 'HH:MM' of a zone. */
export function quietUntil(from: string | null, to: string | null, zone: string, now: Date): Date | null {
  if (from === null || to === null || from === to) return null
  const wall = wallAt(now.getTime(), zone)
  const minuteNow = minuteOfDay(wall)
  const [start, end] = [minuteOf(from), minuteOf(to)]
  const isQuiet = start < end ? minuteNow >= start && minuteNow < end : minuteNow >= start || minuteNow < end
  if (!isQuiet) return null
  const midnight = Math.floor(wall / dayMs) * dayMs
  const wallEnd = midnight + end * 60_000 + (end > minuteNow ? 0 : dayMs)
  const until = instantAt(wallEnd, zone)
  // In the second of two hours that clocks show twice, the first such end is over.
  return new Date(until > now.getTime() ? until : now.getTime() + wallEnd - wall)
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
