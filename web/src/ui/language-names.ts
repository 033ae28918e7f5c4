import type { Locale } from '@isotherm/contract/common.ts'

/** Each in its own words, so that everybody finds theirs. */
export const languageNames: Record<Locale, string> = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
  sw: 'Kiswahili',
}
