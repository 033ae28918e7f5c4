import { currentLocale } from './i18n.ts'

/** "Carrier: MSC", with the space before the colon that French has. */
export const named = (name: string, value: string): string =>
  `${name}${currentLocale() === 'fr' ? '\u00a0' : ''}: ${value}`
