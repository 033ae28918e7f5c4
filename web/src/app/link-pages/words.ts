import type { Locale } from '@isotherm/contract/common.ts'
import { temperatureDecimals } from '@isotherm/contract/decimals.ts'
import {
  writeClock,
  writeDate,
  writeMoment,
  writeSpan,
  writeTime,
  writeZone,
  writtenIn,
} from '@isotherm/contract/times.ts'

type Texts = { [key: string]: string | Texts }

const files = import.meta.glob<Texts>('../../../../contract/locales/*/{receiverPage,driverPage,shipmentPage}.json', {
  import: 'default',
})
const names: Record<Locale, string> = { en: 'English', fr: 'Français', es: 'Español', sw: 'Kiswahili' }
const locales = Object.keys(names) as Locale[]
const key = 'isotherm.language'

const isLocale = (tag: string | null | undefined): tag is Locale => locales.some((one) => one === tag)

/** The language that was chosen on this phone. */
function chosenLocale(): Locale | null {
  try {
    const chosen = localStorage.getItem(key)
    return isLocale(chosen) ? chosen : null
  } catch {
    return null
  }
}
export const hasChosen = (): boolean => chosenLocale() !== null

/** The language that was chosen on this phone, else the browser's. */
function firstLocale(): Locale {
  const chosen = chosenLocale()
  if (chosen) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLocale) ?? 'en'
}

let locale: Locale = 'en'
let texts: Record<string, Texts> = {}

export const currentLocale = (): Locale => locale

/** Loads the texts of these namespaces, in the language given or the first one. */
export async function loadWords(namespaces: readonly string[], wanted = firstLocale()): Promise<void> {
  const load = async (namespace: string) =>
    [namespace, await files[`../../../../contract/locales/${wanted}/${namespace}.json`]?.()] as const
  texts = Object.fromEntries(await Promise.all(namespaces.map(load))) as Record<string, Texts>
  locale = wanted
  document.documentElement.lang = wanted
}

/** A text by `namespace:path.to.key`, with its values put in. */
export function t(path: string, values: Record<string, string | number> = {}): string {
  const [namespace = '', name = ''] = path.split(':')
  let found: string | Texts | undefined = texts[namespace]
  for (const part of name.split('.')) found = typeof found === 'object' ? found[part] : undefined
  if (typeof found !== 'string') throw new Error(`no text ${path}`)
  return found.replace(/\{\{(\w+)\}\}/g, (_, value: string) => String(values[value] ?? ''))
}

/** A choice of the language; `after` draws the page again. `named`: the namespace that has its name. */
export function languageChoice(
  namespaces: readonly string[],
  after: () => void,
  named = 'receiverPage',
): HTMLSelectElement {
  const choice = document.createElement('select')
  choice.setAttribute('aria-label', t(`${named}:language`))
  for (const one of locales) choice.append(new Option(names[one], one, false, one === locale))
  choice.addEventListener('change', async () => {
    const wanted = choice.value as Locale
    try {
      localStorage.setItem(key, wanted)
    } catch {
      // Then it lasts as long as the page.
    }
    await loadWords(namespaces, wanted)
    after()
  })
  return choice
}

const thin = '\u202f'
const numbers = (decimals: number) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

export const number = (value: number, decimals = 0): string => numbers(decimals).format(value).replace('-', '\u2212')
export const celsius = (value: number): string => `${number(value, temperatureDecimals(value))}${thin}°C`
export const percent = (value: number, decimals = 0): string => `${number(value, decimals)}${thin}%`
// Swahili parts a zone from its offset: they must not part at the end of a line.
const unparted = (text: string) => text.replace(/(GMT|UTC) (?=[+\u2212-])/g, '$1\u00a0')
export const time = (at: string, zone: string): string => unparted(writeTime(locale, zone, new Date(at)))
/** The ends of a span: the zone at its end, and the day once where it is one. */
export function ends(from: string, to: string, zone: string): { from: string; to: string } {
  const [first, last] = [new Date(from), new Date(to)]
  const both = isOneDay(from, to, zone)
    ? { from: writeMoment(locale, zone, first), to: `${clock(to, zone)} ${writeZone(locale, zone, last)}` }
    : writeSpan(locale, zone, first, last)
  return { from: unparted(both.from), to: unparted(both.to) }
}
/** "24 Nov 2026, 09:28 – 09:48 GMT+1"; with both days where they are two. */
export function span(from: string, to: string, zone: string): string {
  const both = ends(from, to, zone)
  return `${both.from} – ${both.to}`
}
/** Whether two instants are of one day. */
export const isOneDay = (one: string, other: string, zone: string): boolean =>
  writeDate(locale, zone, new Date(one)) === writeDate(locale, zone, new Date(other))
export const clock = (at: string, zone: string): string => writeClock(locale, zone, new Date(at))

const minuteMs = 60_000
/** "2 hr 5 min"; less than a minute is "0 min". */
export function duration(ms: number): string {
  const minutes = Math.round(ms / minuteMs)
  const unit = (value: number, name: 'hour' | 'minute') =>
    new Intl.NumberFormat(writtenIn[locale], { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? `${unit(hours, 'hour')} ${unit(minutes % 60, 'minute')}` : unit(minutes, 'minute')
}

/** "4 min ago". */
export function age(at: string, now: number): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(at)) / minuteMs))
  const relative = new Intl.RelativeTimeFormat(writtenIn[locale], { style: 'short', numeric: 'auto' })
  if (minutes === 0) return relative.format(0, 'second')
  return minutes < 120 ? relative.format(-minutes, 'minute') : relative.format(-Math.round(minutes / 60), 'hour')
}
