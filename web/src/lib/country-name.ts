import { currentLocale } from './i18n.ts'

/** The name of a country in the reader's language; a code that is none stands as it is. */
export const countryName = (code: string): string =>
  new Intl.DisplayNames([currentLocale(), 'en'], { type: 'region' }).of(code) ?? code
