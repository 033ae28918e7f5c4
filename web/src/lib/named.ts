import { namedIn } from '@isotherm/contract/named.ts'
import { currentLocale } from './i18n.ts'

/** "Carrier: MSC" in the language of the screen. */
export const named = (name: string, value: string): string => namedIn(currentLocale(), name, value)
