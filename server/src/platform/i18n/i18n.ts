import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { type Locale, localeNames } from '@isotherm/contract/common.ts'
import i18next from 'i18next'

const root = dirname(createRequire(import.meta.url).resolve('@isotherm/contract/locales/en/errors.json'))
const folder = (locale: Locale) => `${root}/../${locale}`

const read = (locale: Locale) =>
  Object.fromEntries(
    readdirSync(folder(locale))
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(`${folder(locale)}/${name}`, 'utf8'))]),
  )

/** In tests whoever shows a raw key or a placeholder fails. */
const isChecked = process.env.CHECK_TEXTS === '1'
const instance = i18next.createInstance()
await instance.init({
  resources: Object.fromEntries(localeNames.map((locale) => [locale, read(locale)])),
  fallbackLng: 'en',
  defaultNS: 'errors',
  interpolation: { escapeValue: false },
  saveMissing: isChecked,
  missingKeyHandler: (_languages, namespace, key, _fallback, _update, options) => {
    if (options?.defaultValue === undefined) throw new Error(`no text: ${namespace}:${key}`)
  },
  ...(isChecked && {
    missingInterpolationHandler: (text: string, match: RegExpExecArray) => {
      throw new Error(`no text: ${match[1]} of "${text}"`)
    },
  }),
})

/** The text of `key` (`namespace:path.to.key`) in a language, English where it is missing. */
export const translate = (locale: Locale, key: string, values: Record<string, unknown> = {}): string =>
  instance.t(key, { ...values, lng: locale })

/** The texts right below a key, by their names. */
export function textsOf(locale: Locale, key: string): Record<string, string> {
  const found: unknown = instance.t(key, { lng: locale, returnObjects: true, defaultValue: {} })
  if (found === null || typeof found !== 'object') return {}
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The language that a screen of ours names, alone and as it is; what a browser sends by itself is a list, or has a country. */
export const localeNamed = (header: string | undefined): Locale | undefined =>
  localeNames.find((name) => name === header)

/** The best language we have for an Accept-Language header. */
export function localeFrom(header: string | undefined): Locale {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', q] = part.trim().split(';q=')
      return { tag: tag.slice(0, 2).toLowerCase(), q: q === undefined ? 1 : Number(q) || 0 }
    })
    .sort((a, b) => b.q - a.q)
  for (const { tag } of wanted) {
    const found = localeNames.find((name) => name === tag)
    if (found) return found
  }
  return 'en'
}
