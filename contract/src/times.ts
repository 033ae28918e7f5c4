import type { Locale } from './common.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

// English as it is written outside the United States: the day before the month.
const written: Record<Locale, string> = { en: 'en-GB', fr: 'fr', es: 'es', sw: 'sw' }

/** How screens, mails, messages and notifications write moments: 24 hours in every language. Formats are kept: making one is slow. */
export function timeFormat(locale: Locale, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(written[locale], { ...options, timeZone: zone, hourCycle: 'h23' })
  formats.set(key, made)
  return made
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit' } as const

/** "20 Nov 2026" */
export const writeDate = (locale: Locale, zone: string, at: Date): string => timeFormat(locale, zone, day).format(at)

/** "14:03" */
export const writeClock = (locale: Locale, zone: string, at: Date): string => timeFormat(locale, zone, clock).format(at)

/** "20 Nov 2026, 14:03 GMT+1" */
export const writeTime = (locale: Locale, zone: string, at: Date): string =>
  timeFormat(locale, zone, { ...day, ...clock, timeZoneName: 'short' }).format(at)

/** "20 Nov 2026, 14:03:05 GMT+1" */
export const writeExactTime = (locale: Locale, zone: string, at: Date): string =>
  timeFormat(locale, zone, { ...day, ...clock, second: '2-digit', timeZoneName: 'short' }).format(at)
