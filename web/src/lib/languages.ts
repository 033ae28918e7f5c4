import type { Locale } from '@isotherm/contract/common.ts'

/** Each in its own words, so that everybody finds theirs. */
export const languageNames: Record<Locale, string> = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
  sw: 'Kiswahili',
}

/** In the order of the switch. Not from the contract: that would bring zod to the login screen. */
export const localeNames = Object.keys(languageNames) as Locale[]
