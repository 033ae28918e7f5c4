import { deviceIdOf } from '../../core/devices/visible-devices.ts'
import { deleteDevices } from '../../core/groups/member-queries.ts'
import { findGroup, memberDevices } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { deleteUsers } from './member-queries.ts'
import { target } from './present.ts'

/** Takes out those of these that are in it and that the person may see. Throws NOT_FOUND. */
export async function removeDevices(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  const group = await findGroup(ctx, groupId, { lock: true })
  const seen = new Set(await memberDevices(ctx, group.id))
  const leaving = ids.map(deviceIdOf).filter((id) => seen.has(id))
  const devices = await deleteDevices(ctx, group.id, leaving)
  ctx.audit({ action: 'groups.devicesRemoved', target: target(group), before: { devices } })
}

/** Takes out those of these people who are in it. Throws NOT_FOUND. */
export async function removeUsers(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  const group = await findGroup(ctx, groupId, { lock: true })
  const users = await deleteUsers(ctx, group.id, ids)
  ctx.audit({ action: 'groups.usersRemoved', target: target(group), before: { users } })
}
