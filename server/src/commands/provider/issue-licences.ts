import { asLogin } from '../../platform/db/transaction.ts'
import { issueKeys } from '../../platform/provider/licence-keys.ts'
import type { Desk } from './desk.ts'
import { UsageError } from './usage-error.ts'

function whole(name: string, text: string | undefined, max: number): number {
  const number = Number(text)
  if (!text || !Number.isInteger(number) || number < 1 || number > max)
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}`)
  return number
}

/** Makes licence keys and prints them, a line each. */
export async function issueLicences(
  desk: Desk,
  values: { devices?: string | undefined; months?: string | undefined; count: string },
): Promise<void> {
  const about = {
    devices: whole('devices', values.devices, 100_000),
    months: whole('months', values.months, 120),
    count: whole('count', values.count, 10_000),
    now: new Date(),
  }
  const keys = await asLogin(desk.pool, ({ tx }) => issueKeys(tx, about))
  desk.warn(`${about.count} x ${about.devices} devices for ${about.months} months; keys are shown this once:`)
  for (const key of keys) desk.out(key)
}
