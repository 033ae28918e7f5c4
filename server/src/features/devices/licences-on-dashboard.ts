import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { sql } from 'kysely'
import type { Context } from '../../platform/http/context.ts'
import { licenceEndsSoonSql } from './status.ts'

interface Row {
  places: number
  taken: number
  expired: number
  ending: number
  next_end: Date | null
}

/** How the company stands with its licences; null for a role that may not see payments. */
export async function licencesOnDashboard(ctx: Context): Promise<Dashboard['licences']> {
  if (!ctx.can('payments.view')) return null
  const now = ctx.clock.now()
  const { rows } = await sql<Row>`
    select (select coalesce(sum(l.devices), 0)::int from licences l
        where l.company_id = ${ctx.companyId} and l.expires_at > ${now}) as places,
      count(*) filter (where licence_until > ${now})::int as taken,
      count(*) filter (where licence_until <= ${now})::int as expired,
      count(*) filter (where licence_until > ${now} and ${licenceEndsSoonSql(now)})::int as ending,
      min(licence_until) filter (where licence_until > ${now}) as next_end
    from devices where company_id = ${ctx.companyId} and decommissioned_at is null`.execute(ctx.tx)
  const [row] = rows
  return {
    places: row?.places ?? 0,
    taken: row?.taken ?? 0,
    expired: row?.expired ?? 0,
    endingSoon: row?.ending ?? 0,
    nextEndAt: row?.next_end?.toISOString() ?? null,
  }
}
