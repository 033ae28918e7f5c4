import { type Limits, limitsOf } from '@isotherm/contract/device-limits.ts'
import type { GroupChange, NewGroup } from '@isotherm/contract/groups.ts'
import { toCenti } from '../../domain/measures.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { noteCompany } from '../../platform/devices/settings-changes.ts'
import { findGroup, memberDevices } from '../../platform/groups/visible-groups.ts'
import { invalidField } from '../../platform/http/app-error.ts'
import { checkVisibility } from '../../platform/http/check-visibility.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuseOverQuota } from '../../platform/quotas/quotas.ts'
import { applyLimits, type GiveLimits, insertDevices, insertUsers, target } from './members.ts'
import { keptOf, limitsOfGroup } from './present.ts'
import { isNameTaken } from './queries.ts'

const centi = (value: number | null) => (value === null ? null : toCenti(value))

const columnsOf = (limits: Limits | null) => ({
  has_limits: limits !== null,
  temperature_min_centi: centi(limits?.temperatureMinC ?? null),
  temperature_max_centi: centi(limits?.temperatureMaxC ?? null),
  humidity_min_centi: centi(limits?.humidityMinPct ?? null),
  humidity_max_centi: centi(limits?.humidityMaxPct ?? null),
})

async function checkName(ctx: Context, name: string, except: string | null) {
  // A company's names are given one at a time: two alike would meet in the index, which knows no 422.
  await ctx.tx.selectFrom('companies').select('name').where('company_id', '=', ctx.companyId).forNoKeyUpdate().execute()
  if (await isNameTaken(ctx, name, except)) throw invalidField('name', 'rule.nameTaken')
}

/** Throws a 422, also where somebody who is no Admin would make it private. */
export async function addGroup(ctx: Context, { name, visibility, deviceIds, userIds }: NewGroup): Promise<string> {
  checkVisibility(ctx, 'public', visibility)
  await checkName(ctx, name, null)
  await refuseOverQuota(ctx, 'groups')
  const now = ctx.clock.now()
  const row = await ctx.tx
    .insertInto('groups')
    .values({
      company_id: ctx.companyId,
      name,
      visibility,
      created_at: now,
      updated_at: now,
      created_by: ctx.person.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertDevices(ctx, row.id, deviceIds)
  await insertUsers(ctx, row.id, userIds)
  ctx.audit({
    action: 'groups.created',
    target: target(row),
    after: { ...keptOf(row), devices: deviceIds.length, users: userIds.length },
  })
  return row.id
}

export async function changeGroup(ctx: Context, give: GiveLimits, id: string, change: GroupChange): Promise<void> {
  if (change.name !== undefined) await checkName(ctx, change.name, id)
  const before = await findGroup(ctx, id, { lock: true })
  checkVisibility(ctx, before.visibility === 'private' ? 'private' : 'public', change.visibility)
  const limits =
    change.limits === undefined ? limitsOfGroup(before) : change.limits === null ? null : limitsOf(change.limits)
  const after = await ctx.tx
    .updateTable('groups')
    .set({
      name: change.name ?? before.name,
      visibility: change.visibility ?? before.visibility,
      ...columnsOf(limits),
      updated_at: ctx.clock.now(),
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const devices = change.applyLimits ? await memberDevices(ctx, before.id) : []
  if (change.applyLimits) await applyLimits(ctx, give, after, devices)
  const { before: old, after: fresh } = changesOf(keptOf(before), keptOf(after))
  ctx.audit({
    action: 'groups.changed',
    target: target(after),
    before: old,
    after: { ...fresh, ...(change.applyLimits && { limits, appliedTo: devices.length }) },
  })
}

/** Archived, so that evidence keeps the name; its devices stay, and alarms on it watch nothing by it any more. */
export async function removeGroup(ctx: Context, id: string): Promise<void> {
  const group = await findGroup(ctx, id, { lock: true })
  for (const table of ['group_devices', 'group_users'] as const)
    await ctx.tx.deleteFrom(table).where('company_id', '=', ctx.companyId).where('group_id', '=', group.id).execute()
  await noteCompany(ctx)
  await ctx.tx
    .updateTable('groups')
    .set({ archived_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', group.id)
    .execute()
  ctx.audit({ action: 'groups.deleted', target: target(group), before: keptOf(group) })
}
