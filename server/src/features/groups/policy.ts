import type { Limits } from '@isotherm/contract/device-limits.ts'
import { groupLimits } from '@isotherm/contract/groups.ts'
import type { GroupRow } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { countMembers } from './member-queries.ts'
import { limitsOfGroup } from './present.ts'
import { isNameTaken, lockNames } from './queries.ts'

/** Sets limits of devices from now on. The app hands it in. */
export type GiveLimits = (ctx: Context, deviceIds: readonly number[], limits: Limits) => Promise<void>

/** Throws VALIDATION where another group has the name. */
export async function checkName(ctx: Context, name: string, except: string | null): Promise<void> {
  // A company's names are given one at a time: two alike would meet in the index, which knows no 422.
  await lockNames(ctx)
  if (await isNameTaken(ctx, name, except)) throw invalidField('name', 'rule.nameTaken')
}

/** Members of a group see its devices: a person who chooses members must be allowed to view devices. Throws VALIDATION. */
export function needsDeviceView(ctx: Context, path: 'deviceIds' | 'userIds'): void {
  if (!ctx.can('devices.view')) throw invalidField(path, 'rule.devicesNotSeen')
}

/** Refuses more members than a group may have, once they are in it. Throws GROUP_FULL. */
export async function refuseOverfull(ctx: Context, groupId: string, kind: 'devices' | 'users'): Promise<void> {
  const limit = groupLimits[kind]
  if ((await countMembers(ctx, `group_${kind}`, groupId)) > limit) throw new AppError('GROUP_FULL', { limit })
}

/** The group's default limits, for a person who may set limits of devices. Throws FORBIDDEN or LIMITS_NEEDED. */
export function limitsToGive(ctx: Context, group: GroupRow): Limits {
  if (!ctx.can('devices.addOrEdit')) throw new AppError('FORBIDDEN')
  const limits = limitsOfGroup(group)
  if (!limits) throw new AppError('LIMITS_NEEDED')
  return limits
}
