import type { Locale } from './common.ts'

/** "Carrier: MSC", with the space before the colon that French has and at which no line breaks. */
export const namedIn = (locale: Locale, name: string, value: string): string =>
  `${name}${locale === 'fr' ? '\u00a0' : ''}: ${value}`

/** "5 °C, 10 d; 6 °C, 12 d": things that have commas of their own, with the space before the semicolon that French has and at which no line breaks. */
export const listedIn = (locale: Locale, texts: readonly string[]): string =>
  texts.join(locale === 'fr' ? '\u202f; ' : '; ')
