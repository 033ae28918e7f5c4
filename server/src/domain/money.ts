import { minorDigits } from '@isotherm/contract/money.ts'

/** An amount as people type it, "10750" or "10750.50", in minor units; null where it is none, or has more digits than its currency. */
export function minorUnits(text: string, currency: string): number | null {
  const digits = minorDigits(currency)
  const [, whole = '', part = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text) ?? []
  if (!whole || part.length > digits) return null
  const amount = Number(whole + part.padEnd(digits, '0'))
  return Number.isSafeInteger(amount) ? amount : null
}

/** Minor units as `minorUnits` takes them. */
export function majorText(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** The same of an amount that may be below zero. */
export const signedMajorText = (amount: number, currency: string): string =>
  amount < 0 ? `-${majorText(-amount, currency)}` : majorText(amount, currency)
