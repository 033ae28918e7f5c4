import { currentLocale } from './i18n.ts'

/** An amount of minor units as people write money: "NGN 5,912.50". */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(currentLocale(), { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** The digits after the point of a currency. */
export const minorDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
