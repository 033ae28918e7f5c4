import { type Limits, limitsOf } from '@isotherm/contract/device-limits.ts'
import type { GroupChange, NewGroup } from '@isotherm/contract/groups.ts'
import { findGroup, type GroupRow, memberDevices } from '../../core/groups/visible-groups.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { checkVisibility } from '../../core/visibility/check-visibility.ts'
import { toCenti } from '../../domain/measures.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { type GiveLimits, putDevices, putUsers } from './members.ts'
import { checkName, limitsToGive } from './policy.ts'
import { keptOf, limitsOfGroup, target } from './present.ts'
import { deleteMembers, insertGroup, updateGroup } from './queries.ts'

const centi = (value: number | null) => (value === null ? null : toCenti(value))

const columnsOf = (limits: Limits | null) => ({
  has_limits: limits !== null,
  temperature_min_centi: centi(limits?.temperatureMinC ?? null),
  temperature_max_centi: centi(limits?.temperatureMaxC ?? null),
  humidity_min_centi: centi(limits?.humidityMinPct ?? null),
  humidity_max_centi: centi(limits?.humidityMaxPct ?? null),
})

/** Throws GROUP_FULL, QUOTA_EXCEEDED or a 422, also where somebody who is no Admin would make it private. */
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
    after: { ...keptOf(row), devices: deviceIds.length, users: userIds.length },
  })
  return row
}

/** Throws NOT_FOUND, FORBIDDEN, LIMITS_NEEDED or a 422. */
export async function changeGroup(ctx: Context, give: GiveLimits, id: string, change: GroupChange): Promise<GroupRow> {
  if (change.name !== undefined) await checkName(ctx, change.name, id)
  const before = await findGroup(ctx, id, { lock: true })
  checkVisibility(ctx, before.visibility === 'private' ? 'private' : 'public', change.visibility)
  const limits =
    change.limits === undefined ? limitsOfGroup(before) : change.limits === null ? null : limitsOf(change.limits)
  const { name = before.name, visibility = before.visibility } = change
  const after = await updateGroup(ctx, before.id, {
    name,
    visibility,
    ...columnsOf(limits),
    updated_at: ctx.clock.now(),
  })
  const devices = change.applyLimits ? await memberDevices(ctx, before.id) : []
  if (change.applyLimits) await give(ctx, devices, limitsToGive(ctx, after))
  const { before: old, after: fresh } = changesOf(keptOf(before), keptOf(after))
  ctx.audit({
    action: 'groups.changed',
    target: target(after),
    before: old,
    after: { ...fresh, ...(change.applyLimits && { limits, appliedTo: devices.length }) },
  })
  return after
}

/** Archived, so that evidence keeps the name; its devices stay, and alarms on it watch nothing by it any more. Throws NOT_FOUND. */
export async function removeGroup(ctx: Context, id: string): Promise<void> {
  const group = await findGroup(ctx, id, { lock: true })
  await deleteMembers(ctx, group.id)
  await updateGroup(ctx, group.id, { archived_at: ctx.clock.now() })
  ctx.audit({ action: 'groups.deleted', target: target(group), before: keptOf(group) })
}
