import type { AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(zone, format)
  return format
}

/** Day of the week (1 is Monday) and minute of the day of an instant in a zone, by the wall clock. */
function wallClock(zone: string, at: number): { day: number; minute: number } {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return {
    day: weekdays.indexOf(parts.weekday ?? '') + 1,
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  }
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * Whether an alarm is armed at an instant. A stretch begins on one of its days; where `to` is not after `from` it reaches
 * into the next day. It goes by the wall clock: on the night the clocks change it is an hour longer or shorter.
 */
export function isArmedAt(schedule: AlarmSchedule | null, at: number): boolean {
  if (!schedule) return true
  const { day, minute } = wallClock(schedule.zone, at)
  const [from, to] = [minuteOf(schedule.from), minuteOf(schedule.to)]
  const days = new Set(schedule.days)
  if (from < to) return days.has(day) && minute >= from && minute < to
  const dayBefore = day === 1 ? 7 : day - 1
  return (days.has(day) && minute >= from) || (days.has(dayBefore) && minute < to)
}
