import { countryCodes } from '@isotherm/contract/countries.ts'
import { currentLocale } from './i18n.ts'

export interface Choice {
  value: string
  label: string
}

/** The country that keeps the zone; empty where the browser does not know. A language would say less: many browsers speak en-US. */
export function countryOf(zone: string): string {
  const zonesOf = (code: string) =>
    (new Intl.Locale(`und-${code}`) as Intl.Locale & { getTimeZones?: () => string[] | undefined }).getTimeZones?.()
  return countryCodes.find((code) => zonesOf(code)?.includes(zone)) ?? ''
}

/** The countries by their names in the reader's language. */
export function countries(): Choice[] {
  const locale = currentLocale()
  const names = new Intl.DisplayNames([locale, 'en'], { type: 'region' })
  return countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, locale))
}

/** IANA zones as the browser knows them, "Africa/Lagos" as is: the name people look for. */
export function timeZones(also?: string): Choice[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  if (also) names.add(also)
  return [...names].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}
