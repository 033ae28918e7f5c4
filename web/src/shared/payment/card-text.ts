import type { Card } from '@isotherm/contract/cards.ts'
import type { TFunction } from 'i18next'
import { currentLocale } from '../../lib/i18n.ts'

/** A card as its payer knows it: "Visa ending in 4081". */
export const cardName = (t: TFunction<'wallet'>, { brand, last4 }: Card): string =>
  t('wallet:cards.name', { brand: brand.slice(0, 1).toUpperCase() + brand.slice(1), last4 })

/** "Valid until December 2030" */
export function cardUntil(t: TFunction<'wallet'>, { expMonth, expYear }: Card): string {
  const format = new Intl.DateTimeFormat(currentLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return t('wallet:cards.until', { month: format.format(new Date(Date.UTC(expYear, expMonth - 1, 1))) })
}
