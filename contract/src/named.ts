import type { Locale } from './common.ts'

/** "Carrier: MSC", with the space before the colon that French has and at which no line breaks. */
export const namedIn = (locale: Locale, name: string, value: string): string =>
  `${name}${locale === 'fr' ? '\u00a0' : ''}: ${value}`
