import type { Locale } from './common.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** English as it is written outside the United States: the day before the month. */
export const writtenIn: Record<Locale, string> = { en: 'en-GB', fr: 'fr', es: 'es', sw: 'sw' }

/** How screens, mails, messages and notifications write moments: 24 hours in every language. Formats are kept: making one is slow. */
export function timeFormat(locale: Locale, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(writtenIn[locale], { ...options, timeZone: zone, hourCycle: 'h23' })
  formats.set(key, made)
  return made
}

/** Writes moments in one way. Swahili has a space within "GMT +1", at which lines broke. */
const writing =
  (options: Intl.DateTimeFormatOptions) =>
  (locale: Locale, zone: string, at: Date): string =>
    timeFormat(locale, zone, options).format(at).replace('GMT ', 'GMT')

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit' } as const
const moment = { ...day, ...clock }
const exactMoment = { ...moment, second: '2-digit' } as const
const zoned = { timeZoneName: 'short' } as const

/** "20 Nov 2026" */
export const writeDate = writing(day)

/** "14:03" */
export const writeClock = writing(clock)

/** "20 Nov, 14:03", where the year stands nearby: on axes. */
export const writeDayAndClock = writing({ day: 'numeric', month: 'short', ...clock })

/** "20 Nov 2026, 14:03", where the zone stands beside it: once for a table, or at the end of a span. */
export const writeMoment = writing(moment)

/** "20 Nov 2026, 14:03:05", likewise. */
export const writeExactMoment = writing(exactMoment)

/** "20 Nov 2026, 14:03 GMT+1" */
export const writeTime = writing({ ...moment, ...zoned })

/** "20 Nov 2026, 14:03:05 GMT+1" */
export const writeExactTime = writing({ ...exactMoment, ...zoned })

/** "GMT+1": how a zone is printed beside a time. */
export const writeZone = (locale: Locale, zone: string, at: Date): string =>
  writeTime(locale, zone, at).split(' ').at(-1) ?? zone

const nextMonth = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))

/** How a zone is printed from one instant to another; undefined where that changes. By the first of each month: in Morocco the other time lasts five weeks. */
function oneZone(locale: Locale, zone: string, first: Date, last: Date): string | undefined {
  const names = new Set([writeZone(locale, zone, first), writeZone(locale, zone, last)])
  for (let at = nextMonth(first); at < last && names.size === 1; at = nextMonth(at))
    names.add(writeZone(locale, zone, at))
  return names.size === 1 ? [...names][0] : undefined
}

/** How a zone is printed once for many times: "GMT+1", or "Europe/Berlin" where that changes within the year. */
export function writeZoneOfMany(locale: Locale, zone: string, year: number): string {
  return oneZone(locale, zone, new Date(Date.UTC(year, 0)), new Date(Date.UTC(year, 11))) ?? zone.replaceAll('_', ' ')
}

/** How the moments of a table are written, over which the zone stands once: each with its own offset where that changes in between. */
export const momentWriter = (locale: Locale, zone: string, first: Date, last: Date): ((at: Date) => string) => {
  const isOne = oneZone(locale, zone, first, last) !== undefined
  return (at) => (isOne ? writeMoment : writeTime)(locale, zone, at)
}

/** Both ends of a span, with the zone at its end, and at both where it changes between. */
export function writeSpan(locale: Locale, zone: string, from: Date, to: Date): { from: string; to: string } {
  return { from: momentWriter(locale, zone, from, to)(from), to: writeTime(locale, zone, to) }
}
