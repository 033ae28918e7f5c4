import { type Limits, limitsOf } from '@isotherm/contract/device-limits.ts'
import type { GroupChange } from '@isotherm/contract/groups.ts'
import { findGroup, type GroupRow, memberDevices } from '../../core/groups/visible-groups.ts'
import { checkVisibility } from '../../core/visibility/check-visibility.ts'
import { toCenti } from '../../domain/measures.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { checkName, type GiveLimits, limitsToGive } from './policy.ts'
import { auditSnapshot, limitsOfGroup, target } from './present.ts'
import { updateGroup } from './queries.ts'

const centi = (value: number | null) => (value === null ? null : toCenti(value))

const columnsOf = (limits: Limits | null) => ({
  has_limits: limits !== null,
  temperature_min_centi: centi(limits?.temperatureMinC ?? null),
  temperature_max_centi: centi(limits?.temperatureMaxC ?? null),
  humidity_min_centi: centi(limits?.humidityMinPct ?? null),
  humidity_max_centi: centi(limits?.humidityMaxPct ?? null),
})

/** Changes name, visibility or limits, and gives its devices its limits where asked. Throws NOT_FOUND, CHANGED_MEANWHILE, FORBIDDEN, LIMITS_NEEDED or VALIDATION. */
export async function changeGroup(
  ctx: Context,
  give: GiveLimits,
  id: string,
  { version, ...change }: GroupChange,
): Promise<GroupRow> {
  if (change.name !== undefined) await checkName(ctx, change.name, id)
  const before = await findGroup(ctx, id, { lock: true })
  refuseOutdated(before, version)
  checkVisibility(ctx, before.visibility === 'private' ? 'private' : 'public', change.visibility)
  const limits =
    change.limits === undefined ? limitsOfGroup(before) : change.limits === null ? null : limitsOf(change.limits)
  const { name = before.name, visibility = before.visibility } = change
  const after = await updateGroup(ctx, before.id, {
    name,
    visibility,
    ...columnsOf(limits),
    version: before.version + 1,
    updated_at: ctx.clock.now(),
  })
  const devices = change.applyLimits ? await memberDevices(ctx, before.id) : []
  if (change.applyLimits) await give(ctx, devices, limitsToGive(ctx, after))
  const { before: old, after: fresh } = changesOf(auditSnapshot(before), auditSnapshot(after))
  ctx.audit({
    action: 'groups.changed',
    target: target(after),
    before: old,
    after: { ...fresh, ...(change.applyLimits && { limits, appliedTo: devices.length }) },
  })
  return after
}
