import type { Locale } from '@isotherm/contract/common.ts'
import { writeExactTime } from '@isotherm/contract/times.ts'
import { translate } from '../../platform/i18n/i18n.ts'

/** How a person reads: their language and their zone. */
export interface Reader {
  locale: Locale
  zone: string
}

/** A text, or what to say where there is none: entries outlive the fields they are about. */
export function wordOr(locale: Locale, key: string, otherwise: string): string {
  const text = translate(locale, key, { defaultValue: '' })
  return text === '' ? otherwise : text
}

// A name that somebody gave may look like one and be none.
const isInstant = (text: string) => instantShape.test(text) && !Number.isNaN(Date.parse(text))
const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** A recorded value as a person reads it; null where there is none. `path`: its dotted place in the entry. */
export function valueInWords(path: string, value: unknown, reader: Reader): string | null {
  const key = path.slice(path.lastIndexOf('.') + 1)
  const { locale } = reader
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return translate(locale, `auditWords:values.yesNo.${value ? 'yes' : 'no'}`)
  if (typeof value === 'number') return key === 'weekday' ? weekday(value, locale) : numberInWords(key, value, locale)
  if (Array.isArray(value)) return listInWords(key, value, reader)
  if (typeof value === 'object') return placeInWords(value as Place, locale)
  return textInWords(key, String(value), reader)
}

// Making one takes longer than a hundred uses of it; there are some ten for each language.
const formats = new Map<string, Intl.NumberFormat>()
function numberFormat(locale: Locale, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${Object.values(options).join(' ')}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

type Unit = (value: number, locale: Locale) => string
const digits = (value: number, locale: Locale, least: number, most: number) =>
  numberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: most })
    .format(value)
    .replace('-', '\u2212')
const inUnit =
  (unit: string): Unit =>
  (value, locale) =>
    numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 2 }).format(value)

// The unit is the end of a field's name.
const units: [RegExp, Unit][] = [
  [/C$/, (value, locale) => `${digits(value, locale, 1, 2)}\u2009°C`],
  [/Pct$/, (value, locale) => `${digits(value, locale, 0, 2)}\u2009%`],
  [/[Mm]inutes$/, inUnit('minute')],
  [
    /S$/,
    (value, locale) => (value % 60 === 0 ? inUnit('minute')(value / 60, locale) : inUnit('second')(value, locale)),
  ],
  [/Km2$/, (value, locale) => `${digits(value, locale, 0, 2)}\u2009km²`],
  [/M$/, inUnit('meter')],
]

const numberInWords = (key: string, value: number, locale: Locale) =>
  (units.find(([end]) => end.test(key))?.[1] ?? ((plain) => digits(plain, locale, 0, 6)))(value, locale)

/** Values that other texts have words for already. */
const groups: Record<string, string> = {
  feature: 'audit:screen.features',
  logistics: 'shipments:logistics',
  milestone: 'shipments:event',
  meaning: 'records:sign.meanings',
}

const humane = (key: string) => {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The name of a fact. Many of a shipment's are those of its form. */
export function fieldInWords(field: string, locale: Locale): string {
  const ofShipment = wordOr(locale, `shipments:fields.${field.replace(/Id$/, '')}`, humane(field))
  return wordOr(locale, `auditWords:fields.${field}`, ofShipment)
}

function textInWords(key: string, value: string, { locale, zone }: Reader): string {
  if (isInstant(value)) return timeInWords(new Date(value), { locale, zone })
  if (key === 'locale') return nameOf('language', value, locale)
  if (key === 'country') return nameOf('region', value, locale)
  if (key === 'needs') return permissionInWords(value, locale)
  const group = groups[key]
  if (group) return wordOr(locale, `${group}.${value}`, value)
  if (key === 'fields') return fieldInWords(value, locale)
  return wordOr(locale, `auditWords:values.${key}.${value}`, value)
}

/** A local time to the second, with its zone. */
export const timeInWords = (at: Date, { locale, zone }: Reader): string => writeExactTime(locale, zone, at)

const nameOf = (type: 'language' | 'region', code: string, locale: Locale) => {
  try {
    return new Intl.DisplayNames(locale, { type }).of(code) ?? code
  } catch {
    return code
  }
}

/** "Users – Add/Edit". */
function permissionInWords(needs: string, locale: Locale): string {
  const [module, action] = needs.split('.')
  if (!action) return wordOr(locale, `auditWords:values.needs.${needs}`, needs)
  return `${wordOr(locale, `users:modules.${module}`, module ?? '')} – ${wordOr(locale, `users:actions.${action}`, action)}`
}

// 1 is Monday, as is 1 January 2024.
const weekday = (day: number, locale: Locale) =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

interface Listed {
  name?: string | null
  fullname?: string
  address?: string | null
  channels?: string[]
}

function listInWords(key: string, list: unknown[], { locale, zone }: Reader): string | null {
  const one = (item: unknown): string => {
    if (key === 'days' && typeof item === 'number') return weekday(item, locale)
    if (item === null || typeof item !== 'object') return valueInWords(key, item, { locale, zone }) ?? '–'
    const { name, fullname, address, channels } = item as Listed
    const ways = channels?.map((channel) => wordOr(locale, `auditWords:values.channel.${channel}`, channel))
    return `${name ?? fullname ?? address ?? JSON.stringify(item)}${ways ? ` (${ways.join(', ')})` : ''}`
  }
  return list.length === 0 ? null : list.map(one).join(', ')
}

interface Position {
  lat: number
  lon: number
}
type Place = Partial<Position> & { centre?: Position; radiusM?: number; points?: unknown[] }

const positionInWords = ({ lat, lon }: Position) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`

function placeInWords(place: Place, locale: Locale): string | null {
  const { lat, lon, centre, radiusM, points } = place
  if (lat !== undefined && lon !== undefined) return positionInWords({ lat, lon })
  if (centre)
    return translate(locale, 'auditWords:values.circle.text', {
      radius: numberInWords('radiusM', radiusM ?? 0, locale),
      centre: positionInWords(centre),
    })
  if (points) return translate(locale, 'auditWords:values.polygon.text', { count: points.length })
  return Object.keys(place).length === 0 ? null : JSON.stringify(place)
}
