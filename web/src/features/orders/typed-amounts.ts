import { minorDigits } from '@isotherm/contract/money.ts'

/** An amount as it is typed, in minor units; null where nothing is. */
export function minorOf(typed: number | string, currency: string): number | null {
  const text = String(typed).trim()
  return text === '' ? null : Math.round(Number(text) * 10 ** minorDigits(currency))
}

/** Minor units as they are typed. */
export const majorOf = (amount: number, currency: string): number => amount / 10 ** minorDigits(currency)

/** Grams of kilograms as they are typed; null where nothing is. */
export function gramsOf(typed: number | string): number | null {
  const text = String(typed).trim()
  return text === '' ? null : Math.round(Number(text) * 1_000)
}
