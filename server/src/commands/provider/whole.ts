import { UsageError } from './usage-error.ts'

/** A whole number from 1 to `max`, as typed. */
export function whole(name: string, text: string | undefined, max: number): number {
  const number = Number(text)
  if (!text || !Number.isInteger(number) || number < 1 || number > max)
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}`)
  return number
}
