import { deviceIdOf } from '../../core/devices/visible-devices.ts'
import { insertDevices } from '../../core/groups/member-queries.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { countUsable, insertUsers, namesOfUsers } from './member-queries.ts'
import { needsDeviceView, refuseOverfull } from './policy.ts'

/** Puts devices that the person may see into a group; refuses all where one is not. Throws GROUP_FULL or VALIDATION. */
export async function putDevices(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  needsDeviceView(ctx, 'deviceIds')
  const wanted = [...new Set(ids.map(deviceIdOf))]
  if ((await countUsable(ctx, wanted)) < wanted.length) throw invalidField('deviceIds', 'rule.unknownItem')
  await insertDevices(ctx, groupId, wanted)
  await refuseOverfull(ctx, groupId, 'devices')
}

/** Puts people of the company into a group; refuses all where one is not. Throws GROUP_FULL or VALIDATION. */
export async function putUsers(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  needsDeviceView(ctx, 'userIds')
  const wanted = [...new Set(ids)]
  if ((await namesOfUsers(ctx, wanted)).length < wanted.length) throw invalidField('userIds', 'rule.unknownItem')
  await insertUsers(ctx, groupId, wanted)
  await refuseOverfull(ctx, groupId, 'users')
}
