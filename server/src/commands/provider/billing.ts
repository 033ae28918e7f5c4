import { pauseBilling } from '../../core/billing/pause.ts'
import type { ProviderTools } from './provider-tools.ts'
import { whole } from './typed.ts'

/** Stops charges without a person, or lets them go on, for one company or for all. */
export async function setBillingPaused(
  { pool, out }: ProviderTools,
  isPaused: boolean,
  { company }: { company?: string | undefined },
): Promise<void> {
  const companyId = company === undefined ? undefined : whole('company', company, 2_147_483_647)
  const changed = await pauseBilling(pool, { isPaused, by: 'provider', companyId }, new Date())
  out(`${isPaused ? 'Paused' : 'Resumed'}: ${changed} ${changed === 1 ? 'account' : 'accounts'}`)
}
