import {
  judgedPercentDecimals,
  measureDecimals,
  percentDecimals,
  temperatureDecimals,
} from '@isotherm/contract/decimals.ts'
import { currentLocale } from './i18n.ts'

export const minus = '\u2212'
/** The narrow one that does not break: a number must not part from its unit at the end of a line. */
export const thinSpace = '\u202f'
/** Stands where there is no value. */
export const noValue = '\u2013'

const formats = new Map<string, Intl.NumberFormat>()
function format(decimals: number | undefined, most: number) {
  const locale = currentLocale()
  const key = `${locale} ${decimals} ${most}`
  const found = formats.get(key)
  if (found) return found
  const made = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: Math.max(decimals ?? 0, most),
  })
  formats.set(key, made)
  return made
}

/** A number in the reader's language with a true minus sign; exactly `decimals` places, or as many as it has up to 3. */
export function formatNumber(value: number, decimals?: number): string {
  const text = format(decimals, decimals ?? 3).format(value)
  // Nothing is colder than zero at "-0.0".
  return /^-[0.,\s]*$/.test(text) ? text.slice(1) : text.replace('-', minus)
}

/** The decimal mark of the reader's language: "." or ",". */
export const decimalSeparator = (): string => formatNumber(0.5, 1).slice(1, -1)

/** Number, thin space, unit: "−18.4 °C". */
export const withUnit = (value: number, unit: string, decimals?: number): string =>
  `${formatNumber(value, decimals)}${thinSpace}${unit}`

export { judgedPercentDecimals, measureDecimals, percentDecimals, temperatureDecimals }

export const formatTemperature = (celsius: number | null | undefined, decimals?: number): string =>
  celsius === null || celsius === undefined
    ? noValue
    : withUnit(celsius, '°C', decimals ?? temperatureDecimals(celsius))

/** @public */
export const formatPercent = (value: number | null | undefined, decimals = 0): string =>
  value === null || value === undefined ? noValue : withUnit(value, '%', decimals)
