import type { Locale } from '@isotherm/contract/common.ts'
import { type Licence, LicenceSource } from '@isotherm/contract/subscription.ts'
import { planName } from '../../core/provider/default-plans.ts'
import type { LicenceRow } from './queries.ts'

function stateOf({ starts_at: startsAt, expires_at: expiresAt }: LicenceRow, now: Date): Licence['state'] {
  if (expiresAt <= now) return 'over'
  return startsAt > now ? 'stock' : 'running'
}

export const presentLicence = (row: LicenceRow, now: Date, locale: Locale): Licence => ({
  id: String(row.id),
  hint: row.hint || null,
  source: LicenceSource.parse(row.source),
  plan: row.plan_id === null ? null : { id: String(row.plan_id), name: planName(locale, row.plan_name ?? '') },
  devices: { used: row.used, of: row.devices },
  startsAt: row.starts_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  state: stateOf(row, now),
})
