import type { Locale } from '@isotherm/contract/common.ts'
import { listedIn, namedIn } from '@isotherm/contract/named.ts'
import { rangeText } from '@isotherm/contract/range-text.ts'
import {
  writeDate,
  writeDayAndClock,
  writeExactMoment,
  writeExactTime,
  writeSpan,
  writeTime,
} from '@isotherm/contract/times.ts'
import { translate } from '../platform/i18n/i18n.ts'
import { writeDuration } from '../platform/i18n/write-duration.ts'
import { clockOf } from './zone.ts'

const dash = '\u2013'
const thin = '\u2009'
/** As fonts have it: they rarely have the narrow space that groups digits in French. */
export const printed = (text: string) => text.replaceAll('\u202f', '\u00a0')

/** Texts of reports with alarms or of several devices; a key with its namespace is another's, as the screens say it. */
export const textOf =
  (locale: Locale) =>
  (key: string, values: Record<string, unknown> = {}) =>
    translate(locale, key.includes(':') ? key : `reports:document.${key}`, values)

/** Texts, numbers and times as a report tells them: in its language, in its zone, each with its unit. */
export function wordsOf(locale: Locale, zone: string) {
  const formats = new Map<number, Intl.NumberFormat>()
  const number = (value: number, decimals = 0): string => {
    let format = formats.get(decimals)
    if (!format) {
      format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
      formats.set(decimals, format)
    }
    const text = format.format(value)
    // Nothing is colder than zero at "-0.0".
    return printed(/^-[0.,\s]*$/.test(text) ? text.slice(1) : text.replace('-', '\u2212'))
  }
  /** A number that somebody has set, as screens write it: without zeros at its end. */
  const short = (value: number, most = 2): string => {
    const rounded = Number(value.toFixed(most))
    let decimals = 0
    while (decimals < most && Number(rounded.toFixed(decimals)) !== rounded) decimals++
    return number(rounded, decimals)
  }
  const unit = (value: number | null | undefined, sign: string, decimals: number) =>
    value === null || value === undefined ? dash : `${number(value, decimals)}${thin}${sign}`
  return {
    t: (key: string, values: Record<string, unknown> = {}) =>
      translate(locale, `deviceReports:document.${key}`, values),
    /** For the steps of axes, and for tables of readings, which need it short and of one length. */
    clock: clockOf(zone),
    named: (name: string, value: string) => namedIn(locale, name, value),
    listed: (texts: readonly string[]) => printed(listedIn(locale, texts)),
    /** "20 Nov 2026, 14:03 GMT+1", as screens write it. */
    time: (at: string | number | Date) => printed(writeTime(locale, zone, new Date(at))),
    /** With seconds, for what may last no longer. */
    exactTime: (at: string | number | Date) => printed(writeExactTime(locale, zone, new Date(at))),
    exactMoment: (at: string) => printed(writeExactMoment(locale, zone, new Date(at))),
    /** Both ends, with the zone once. */
    span: (from: string | Date, to: string | Date) => writeSpan(locale, zone, new Date(from), new Date(to)),
    dayAndClock: (at: number) => printed(writeDayAndClock(locale, zone, new Date(at))),
    date: (at: string | number | Date) => printed(writeDate(locale, zone, new Date(at))),
    /** A day as a paper names it, YYYY-MM-DD: the same in every zone. */
    day: (day: string) => printed(writeDate(locale, 'UTC', new Date(day))),
    dash,
    number,
    short,
    celsius: (value: number | null | undefined, decimals = 2) => unit(value, '°C', decimals),
    percent: (value: number | null | undefined, decimals = 2) => unit(value, '%', decimals),
    /** A limit, a set point or a rule, with its unit: without zeros at its end, as in ranges. */
    given: (value: number | null | undefined, sign: '°C' | '%') =>
      value === null || value === undefined ? dash : `${short(value)}${thin}${sign}`,
    duration: (ms: number) => writeDuration(locale, ms),
    /** "2–8 °C", "−1 – 1.5 °C" */
    range(min: number | null, max: number | null, sign: string): string {
      if (min === null && max === null) return dash
      const side = (value: number | null) => (value === null ? null : short(value))
      return rangeText(side(min), side(max)).concat(thin, sign)
    },
  }
}
export type Words = ReturnType<typeof wordsOf>
