/**
 * The digits after the point of each currency that has not two, as ISO 4217 says. Not those of Intl: browsers and servers differ in them (for PKR,
 * COP, HUF and others), and an amount that one has in cents would be whole units for the other.
 */
const digitsOf: Readonly<Record<string, number>> = {
  ...{ BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, UYI: 0, VND: 0, VUV: 0 },
  ...{ XAF: 0, XOF: 0, XPF: 0 },
  ...{ BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3 },
  ...{ CLF: 4, UYW: 4 },
}

/** How many digits a currency has behind its point: two of NGN, none of XOF, three of KWD. */
export const minorDigits = (currency: string): number => digitsOf[currency] ?? 2

/** An amount of minor units as people of a language write money: "NGN 5,912.50". */
export function writeMoney(locale: string, amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...fixed }).format(amount / 10 ** digits)
}
