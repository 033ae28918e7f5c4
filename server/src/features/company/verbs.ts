import type { Updateable } from 'kysely'
import { type CompanyRow, presentCompany } from '../../core/company/company.ts'
import { lockCompany, updateCompany } from '../../core/company/company-queries.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import type { Companies } from '../../platform/db/schema.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'

/** Changes the company's own row; `action` is what the audit trail calls it, `seen` the version that the change was made from. Throws CHANGED_MEANWHILE. */
export async function changeCompany(
  ctx: Context,
  action: string,
  change: Updateable<Companies>,
  seen?: number,
): Promise<CompanyRow> {
  const row = await lockCompany(ctx.tx, ctx.companyId)
  refuseOutdated(row, seen)
  const now = ctx.clock.now()
  const changed = await updateCompany(ctx.tx, ctx.companyId, { ...change, version: row.version + 1 })
  const target = { kind: 'company', id: String(changed.company_id), name: changed.name }
  ctx.audit({ action, target, ...changesOf(auditSnapshot(row, now), auditSnapshot(changed, now)) })
  return changed
}

function auditSnapshot(row: CompanyRow, now: Date) {
  const { version, ...company } = presentCompany(row, now)
  return company
}

/** Saves the business profile; the first save completes the one-time company profile. Throws CHANGED_MEANWHILE. */
export async function changeProfile(ctx: Context, change: Updateable<Companies>, seen?: number): Promise<CompanyRow> {
  const { profile_completed_at: completed } = await lockCompany(ctx.tx, ctx.companyId)
  const completion = { profile_completed_at: completed ?? ctx.clock.now() }
  return changeCompany(ctx, 'company.profileChanged', { ...change, ...completion }, seen)
}
