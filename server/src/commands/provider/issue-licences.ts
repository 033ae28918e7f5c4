import { issueKeys } from '../../core/provider/licence-keys.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { whole } from './whole.ts'

/** Makes licence keys and prints them, a line each. */
export async function issueLicences(
  tools: ProviderTools,
  values: { devices?: string | undefined; months?: string | undefined; count: string },
): Promise<void> {
  const about = {
    devices: whole('devices', values.devices, 100_000),
    months: whole('months', values.months, 120),
    count: whole('count', values.count, 10_000),
    now: new Date(),
  }
  const keys = await asLogin(tools.pool, ({ tx }) => issueKeys(tx, about))
  tools.warn(`${about.count} x ${about.devices} devices for ${about.months} months; keys are shown this once:`)
  for (const key of keys) tools.out(key)
}
