import type { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../platform/i18n/i18n.ts'
import { writeDuration } from '../platform/i18n/write-duration.ts'
import { clockOf } from './zone.ts'

const dash = '\u2013'
const thin = '\u2009'
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
    // Nothing is colder than zero at "-0.0". Fonts rarely have the narrow space that groups digits in French.
    return (/^-[0.,\s]*$/.test(text) ? text.slice(1) : text.replace('-', '\u2212')).replaceAll('\u202f', '\u00a0')
  }
  const unit = (value: number | null | undefined, sign: string, decimals: number) =>
    value === null || value === undefined ? dash : `${number(value, decimals)}${thin}${sign}`
  return {
    t: (key: string, values: Record<string, unknown> = {}) =>
      translate(locale, `deviceReports:document.${key}`, values),
    clock: clockOf(zone),
    dash,
    number,
    celsius: (value: number | null | undefined, decimals = 2) => unit(value, '°C', decimals),
    percent: (value: number | null | undefined, decimals = 2) => unit(value, '%', decimals),
    duration: (ms: number) => writeDuration(locale, ms),
    /** "2 … 8 °C" */
    range(min: number | null, max: number | null, sign: string): string {
      if (min === null && max === null) return dash
      const side = (value: number | null) => (value === null ? '' : number(value, Number.isInteger(value) ? 0 : 2))
      return `${side(min)} … ${side(max)}`.trim().concat(thin, sign)
    },
  }
}
export type Words = ReturnType<typeof wordsOf>
