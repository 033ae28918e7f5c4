import type { NewGroup } from '@isotherm/contract/groups.ts'
import type { GroupRow } from '../../core/groups/visible-groups.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { checkVisibility } from '../../core/visibility/check-visibility.ts'
import type { Context } from '../../platform/context.ts'
import { checkName } from './policy.ts'
import { auditSnapshot, target } from './present.ts'
import { putDevices, putUsers } from './put-members.ts'
import { insertGroup } from './queries.ts'

/** Throws GROUP_FULL, QUOTA_EXCEEDED or VALIDATION, also where somebody who is no Admin would make it private. */
export async function addGroup(ctx: Context, { name, visibility, deviceIds, userIds }: NewGroup): Promise<GroupRow> {
  checkVisibility(ctx, 'public', visibility)
  await checkName(ctx, name, null)
  await refuseOverQuota(ctx, 'groups')
  const now = ctx.clock.now()
  const made = { company_id: ctx.companyId, created_at: now, updated_at: now, created_by: ctx.person.id }
  const row = await insertGroup(ctx, { ...made, name, visibility })
  await putDevices(ctx, row.id, deviceIds)
  await putUsers(ctx, row.id, userIds)
  ctx.audit({
    action: 'groups.created',
    target: target(row),
    after: { ...auditSnapshot(row), devices: deviceIds.length, users: userIds.length },
  })
  return row
}
