import { Country, Email } from '@isotherm/contract/common.ts'
import { minorUnits } from '../../domain/money.ts'
import { UsageError } from './usage-error.ts'

/** A whole number from `least` to `max`, as typed. */
export function whole(name: string, text: string | undefined, max: number, least = 1): number {
  const number = Number(text)
  if (!text || !Number.isInteger(number) || number < least || number > max)
    throw new UsageError(`--${name} must be a whole number from ${least} to ${max}`)
  return number
}

/** A line of text. */
export function line(name: string, text: string | undefined, max = 200): string {
  const trimmed = text?.trim() ?? ''
  if (!trimmed || trimmed.length > max || /\p{Cc}/u.test(trimmed))
    throw new UsageError(`--${name} is needed: a line of at most ${max} signs`)
  return trimmed
}

export function oneOf<T extends string>(name: string, text: string | undefined, choices: readonly T[]): T {
  const choice = choices.find((each) => each === text)
  if (!choice) throw new UsageError(`--${name} must be ${choices.join(' or ')}`)
  return choice
}

export function country(text: string | undefined): string {
  const code = Country.safeParse(text?.toUpperCase())
  if (!code.success) throw new UsageError('--country must be two letters, such as NG')
  return code.data
}

export function email(text: string): string {
  const address = Email.safeParse(text)
  if (!address.success) throw new UsageError('--email must be a mail address')
  return address.data
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

export function currency(text: string | undefined): string {
  const code = text?.toUpperCase() ?? ''
  if (!currencies.has(code)) throw new UsageError('--currency must be three letters of ISO 4217, such as NGN')
  return code
}

const maxAmount = 1_000_000_000_000

/** An amount such as 10750 or 10750.50, in minor units. */
export function amount(text: string | undefined, of: string, name = 'amount'): number {
  const units = minorUnits(text ?? '', of)
  if (units === null || units > maxAmount)
    throw new UsageError(`--${name} must be an amount of ${of} without signs or commas, such as 10750`)
  return units
}

/** A percentage in its hundredths: 7.5 is 750. */
export function basisPoints(text: string | undefined): number {
  const percent = /^\d{1,3}(\.\d{1,2})?$/.test(text ?? '') ? Number(text) : Number.NaN
  if (!(percent <= 100)) throw new UsageError('--percent must be a number from 0 to 100 with at most two decimals')
  return Math.round(percent * 100)
}

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

/** A day, YYYY-MM-DD. */
export function day(name: string, text: string | undefined): string {
  if (!text || !isDay(text)) throw new UsageError(`--${name} must be a day, such as 2026-12-31`)
  return text
}

/** The beginning of a day (UTC); now where it is left out. */
export const instant = (text: string | undefined, now: Date): Date =>
  text === undefined ? now : new Date(`${day('from', text)}T00:00:00Z`)
