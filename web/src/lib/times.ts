import {
  writeClock,
  writeDate,
  writeExactMoment,
  writeExactTime,
  writeMoment,
  writeSpan,
  writeTime,
  writeZone,
  writeZoneOfMany,
  writtenIn,
} from '@isotherm/contract/times.ts'
import { instantOf } from '@isotherm/contract/zone-times.ts'
import { currentLocale } from './i18n.ts'
import { getSession } from './session.ts'

type Moment = string | number | Date
/** The zone times are shown in: the person's. */
export const shownZone = () => getSession().timezone

/** "20 Nov 2026, 14:03 GMT+1": in the person's zone, with the zone. */
export const formatTime = (at: Moment, zone = shownZone()): string => writeTime(currentLocale(), zone, new Date(at))

/** With seconds, where they matter. */
export const formatExactTime = (at: Moment, zone = shownZone()): string =>
  writeExactTime(currentLocale(), zone, new Date(at))

/** "20 Nov 2026". */
export const formatDate = (at: Moment, zone = shownZone()): string => writeDate(currentLocale(), zone, new Date(at))

/** "14:03", for axes and rows under a date; print the zone beside them. */
export const formatClock = (at: Moment, zone = shownZone()): string => writeClock(currentLocale(), zone, new Date(at))

/** "20 Nov 2026, 14:03", where the zone stands once beside many. */
export const formatMoment = (at: Moment, zone = shownZone()): string => writeMoment(currentLocale(), zone, new Date(at))

export const formatExactMoment = (at: Moment, zone = shownZone()): string =>
  writeExactMoment(currentLocale(), zone, new Date(at))

/** Both ends of a span, with the zone once. */
export const formatSpan = (from: Moment, to: Moment, zone = shownZone()): { from: string; to: string } =>
  writeSpan(currentLocale(), zone, new Date(from), new Date(to))

/** "GMT+1": how a zone is printed beside times. */
export const zoneName = (zone = shownZone(), at: Moment = Date.now()): string =>
  writeZone(currentLocale(), zone, new Date(at))

/** The same at a time by clocks of the zone that somebody types; now while it is none. */
export const zoneNameAt = (localTime: string, zone = shownZone()): string =>
  zoneName(zone, instantOf(localTime, zone) || Date.now())

/** The zone of a table's times, in its head. */
export const zoneOfMany = (zone = shownZone()): string =>
  writeZoneOfMany(currentLocale(), zone, new Date().getUTCFullYear())

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** "2 min ago" in the reader's language; `ageMs` negative is in the future. */
export function formatAge(ageMs: number): string {
  const relative = new Intl.RelativeTimeFormat(writtenIn[currentLocale()], { style: 'short', numeric: 'auto' })
  let value = Math.round(ageMs / 1000)
  if (Math.abs(value) < 5) return relative.format(0, 'second')
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) return relative.format(-value, unit)
    value = Math.trunc(value / size)
  }
  return relative.format(-value, 'year')
}

const durations = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** "3 hr 12 min": the two largest parts of a duration. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000))
  const parts: string[] = []
  for (const [unit, size] of durations) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count === 0 && !(unit === 'second' && parts.length === 0)) {
      if (parts.length > 0) break
      continue
    }
    const part = new Intl.NumberFormat(currentLocale(), { style: 'unit', unit, unitDisplay: 'short' }).format(count)
    // A line may break between the parts, not between a number and its unit.
    parts.push(part.replaceAll(' ', '\u00a0'))
    if (parts.length === 2) break
  }
  return parts.join(' ')
}

/** A Monday: the first of the seven days a week counts. */
const monday = Date.UTC(2024, 0, 1)

/** "Mon" for 1, or "Monday". */
export const dayName = (day: number, style: 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(currentLocale(), { weekday: style, timeZone: 'UTC' }).format(monday + (day - 1) * 86_400_000)
