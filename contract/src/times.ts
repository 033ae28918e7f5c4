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

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit' } as const

/** "20 Nov 2026" */
export const writeDate = (locale: Locale, zone: string, at: Date): string => timeFormat(locale, zone, day).format(at)

/** "14:03" */
export const writeClock = (locale: Locale, zone: string, at: Date): string => timeFormat(locale, zone, clock).format(at)

/** "20 Nov 2026, 14:03", where the zone stands beside it: once for a table, or at the end of a span. */
export const writeMoment = (locale: Locale, zone: string, at: Date): string =>
  timeFormat(locale, zone, { ...day, ...clock }).format(at)

/** "20 Nov 2026, 14:03:05", likewise. */
export const writeExactMoment = (locale: Locale, zone: string, at: Date): string =>
  timeFormat(locale, zone, { ...day, ...clock, second: '2-digit' }).format(at)

/** Swahili has a space within "GMT +1", at which lines broke. */
const joined = (text: string) => text.replace('GMT ', 'GMT')

/** "20 Nov 2026, 14:03 GMT+1" */
export const writeTime = (locale: Locale, zone: string, at: Date): string =>
  joined(timeFormat(locale, zone, { ...day, ...clock, timeZoneName: 'short' }).format(at))

/** "20 Nov 2026, 14:03:05 GMT+1" */
export const writeExactTime = (locale: Locale, zone: string, at: Date): string =>
  joined(timeFormat(locale, zone, { ...day, ...clock, second: '2-digit', timeZoneName: 'short' }).format(at))

/** "GMT+1": how a zone is printed beside a time. */
export const writeZone = (locale: Locale, zone: string, at: Date): string =>
  joined(
    timeFormat(locale, zone, { timeZoneName: 'short' })
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value ?? zone,
  )

/** How a zone is printed once for many times: "GMT+1", or "Europe/Berlin" where that changes within the year. */
export function writeZoneOfMany(locale: Locale, zone: string, year: number): string {
  const [winter, summer] = [0, 6].map((month) => writeZone(locale, zone, new Date(Date.UTC(year, month))))
  return winter === summer && winter ? winter : zone.replaceAll('_', ' ')
}

/** Both ends of a span, with the zone at its end, and at both where it changes between. */
export function writeSpan(locale: Locale, zone: string, from: Date, to: Date): { from: string; to: string } {
  const isOne = writeZone(locale, zone, from) === writeZone(locale, zone, to)
  return { from: (isOne ? writeMoment : writeTime)(locale, zone, from), to: writeTime(locale, zone, to) }
}
