import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import type { Context } from '../../platform/context.ts'
import { countLicences } from './dashboard-queries.ts'

/** How the company stands with its licences; null for a role that may not see payments. */
export async function licencesOnDashboard(ctx: Context): Promise<Dashboard['licences']> {
  if (!ctx.can('payments.view')) return null
  const row = await countLicences(ctx)
  return {
    places: row?.places ?? 0,
    taken: row?.taken ?? 0,
    expired: row?.expired ?? 0,
    endingSoon: row?.ending ?? 0,
    nextEndAt: row?.next_end?.toISOString() ?? null,
  }
}
