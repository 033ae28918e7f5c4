import type { Locale } from '@isotherm/contract/common.ts'
import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { localeNames } from './languages.ts'
import { getSession } from './session.ts'

type Texts = Record<string, unknown>

const files = import.meta.glob<Texts>('../../../contract/locales/*/*.json', { import: 'default' })
/** The texts that every screen has, once more: they come with those of the shell (vite.config.ts), which a guest has no use for. */
const ofShell = import.meta.glob<string>('../../../contract/locales/*/common.json', {
  import: 'default',
  query: '?raw',
})
const languageKey = 'isotherm.language'

async function textsOf(language: string, namespace: string): Promise<Texts> {
  const path = `../../../contract/locales/${language}/${namespace}.json`
  const shared = getSession().token ? ofShell[path] : undefined
  if (shared) return JSON.parse(await shared()) as Texts
  const load = files[path]
  if (!load) throw new Error(`no texts ${language}/${namespace}`)
  return load()
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    textsOf(language, namespace).then(
      (texts) => done(null, texts),
      (error) => done(error as Error, null),
    )
  },
}

const isLocale = (name: string | undefined | null): name is Locale => localeNames.some((locale) => locale === name)

function chosenLanguage(): Locale | undefined {
  try {
    const chosen = localStorage.getItem(languageKey)
    return isLocale(chosen) ? chosen : undefined
  } catch {
    return undefined
  }
}

/** Has somebody picked a language in this browser since the last logout? */
export const hasChosenLanguage = (): boolean => chosenLanguage() !== undefined

export function forgetLanguage() {
  try {
    localStorage.removeItem(languageKey)
  } catch {
    // Then none is kept.
  }
}

function firstLanguage(): Locale {
  const chosen = chosenLanguage()
  if (chosen) return chosen
  const own = getSession().locale
  if (own) return own
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLocale) ?? 'en'
}

export const i18n = i18next.createInstance()

/** A raw key or placeholder on the screen is a fault: a test that shows one fails, elsewhere the console tells of it. */
function tellMissing(what: string) {
  const message = `no text: ${what}`
  if (import.meta.env.MODE === 'test') throw new Error(message)
  console.error(message)
}

let started: Promise<unknown> | undefined
let startLanguage: string | undefined

/**
 * Loads the first language's texts; the app must not render before. `namespaces` are those every screen needs. The build, which has
 * no document, renders in a language of its choice.
 */
export function startI18n(namespaces: string[], language = firstLanguage()): Promise<unknown> {
  i18n.on('languageChanged', (next) => {
    if (typeof document !== 'undefined') document.documentElement.lang = next
  })
  startLanguage = language
  started = i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      supportedLngs: [...localeNames],
      // Every language has every text, which `npm run verify` checks: nobody waits for a second language.
      fallbackLng: false,
      partialBundledLanguages: true,
      ns: namespaces,
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
      saveMissing: true,
      missingKeyHandler: (_languages, namespace, key) => tellMissing(`${namespace}:${key}`),
      missingInterpolationHandler: (text, match) => tellMissing(`${match[1]} of "${text}"`),
    })
  return started
}

export const currentLocale = (): Locale => (isLocale(i18n.language) ? i18n.language : 'en')

/** Switches every text, and remembers it in this browser until the person logs out. */
export async function setLanguage(locale: Locale) {
  try {
    localStorage.setItem(languageKey, locale)
  } catch {
    // Then the choice lasts as long as the page.
  }
  await i18n.changeLanguage(locale)
}

/** Loads a screen's texts; waits for the start, though their files are asked for at once. */
export async function loadTexts(namespaces: string[]) {
  const language = i18n.language ?? startLanguage
  // A failure here is one below, too.
  if (language) for (const namespace of namespaces) textsOf(language, namespace).catch(() => undefined)
  await started
  await i18n.loadNamespaces(namespaces)
}
