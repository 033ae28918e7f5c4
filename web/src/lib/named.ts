import { listedIn, namedIn } from '@isotherm/contract/named.ts'
import { currentLocale } from './i18n.ts'

/** "Carrier: MSC" in the language of the screen. */
export const named = (name: string, value: string): string => namedIn(currentLocale(), name, value)

/** Things that have commas of their own, after each other in the language of the screen. */
export const listed = (texts: readonly string[]): string => listedIn(currentLocale(), texts)
