import type { Updateable } from 'kysely'
import { type CompanyRow, presentCompany } from '../../core/company/company.ts'
import { lockCompany, updateCompany } from '../../core/company/company-queries.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import type { Companies } from '../../platform/db/schema.ts'

/** Changes the company's own row; `action` is what the audit trail calls it. */
export async function changeCompany(ctx: Context, action: string, change: Updateable<Companies>): Promise<CompanyRow> {
  const row = await lockCompany(ctx.tx, ctx.companyId)
  const now = ctx.clock.now()
  // Nothing given is nothing to set, which SQL would refuse.
  const changed = await updateCompany(ctx.tx, ctx.companyId, { name: row.name, ...change })
  const [before, after] = [presentCompany(row, now), presentCompany(changed, now)]
  ctx.audit({ action, target: { kind: 'company', id: after.id, name: after.name }, ...changesOf(before, after) })
  return changed
}

/** Saves the business profile; the first save completes the one-time company profile. */
export async function changeProfile(ctx: Context, change: Updateable<Companies>): Promise<CompanyRow> {
  const { profile_completed_at: completed } = await lockCompany(ctx.tx, ctx.companyId)
  return changeCompany(ctx, 'company.profileChanged', {
    ...change,
    profile_completed_at: completed ?? ctx.clock.now(),
  })
}
