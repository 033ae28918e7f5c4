import type { AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import { minuteOfDay, wallAt, weekdayOf } from '@isotherm/contract/zone-times.ts'

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * Whether an alarm is armed at an instant. A stretch begins on one of its days; where `to` is not after `from` it reaches
 * into the next day. It goes by the wall clock: on the night the clocks change it is an hour longer or shorter.
 */
export function isArmedAt(schedule: AlarmSchedule | null, at: number): boolean {
  if (!schedule) return true
  const wall = wallAt(at, schedule.zone)
  const [day, minute] = [weekdayOf(wall), minuteOfDay(wall)]
  const [from, to] = [minuteOf(schedule.from), minuteOf(schedule.to)]
  const days = new Set(schedule.days)
  if (from < to) return days.has(day) && minute >= from && minute < to
  const dayBefore = day === 1 ? 7 : day - 1
  return (days.has(day) && minute >= from) || (days.has(dayBefore) && minute < to)
}
