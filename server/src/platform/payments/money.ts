import { NotSent } from './not-sent.ts'

/**
 * An amount as providers count it: whole minor units (kobo, cents) of a currency in ISO 4217's capitals. 1075000 NGN are 10,750.00 naira.
 * Never a fraction, and never divided.
 */
export interface Money {
  amount: bigint
  currency: string
}

/** The amount as JSON and forms carry it. Refuses what is not positive, or too large to be exact. */
export function wireAmount({ amount }: Money): number {
  if (amount <= 0n || amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new NotSent('the amount cannot be sent')
  return Number(amount)
}

/** Minor units from an answer: a whole number, or one as text. Anything else is unreadable. */
export function minorUnits(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^\d{1,18}$/.test(value)) return BigInt(value)
  throw new Error('an amount is not a whole number of minor units')
}

/** An amount and its currency from an answer. */
export function moneyOf(amount: unknown, currency: unknown): Money {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency)) throw new Error('a currency is missing')
  return { amount: minorUnits(amount), currency: currency.toUpperCase() }
}
