import type { Limits } from '@isotherm/contract/device-limits.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import { findGroup, memberDevices } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import {
  allInside,
  countUsable,
  deleteDevices,
  deleteUsers,
  insertDevices,
  insertUsers,
  namesOfDevices,
  namesOfUsers,
} from './member-queries.ts'
import { limitsToGive, needsDeviceView, refuseOverfull } from './policy.ts'
import { limitsOfGroup, target } from './present.ts'

/** Sets limits of devices from now on. The app hands it in. */
export type GiveLimits = (ctx: Context, deviceIds: readonly number[], limits: Limits) => Promise<void>

/** Names of devices that one entry of the audit trail lists. */
const maxAuditNames = 50

const locked = { lock: true } as const

/** Puts devices that the person may see into a group; refuses all where one is not. Throws GROUP_FULL or a 422. */
export async function putDevices(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  needsDeviceView(ctx, 'deviceIds')
  const wanted = [...new Set(ids.map(deviceIdOf))]
  if ((await countUsable(ctx, wanted)) < wanted.length) throw invalidField('deviceIds', 'rule.unknownItem')
  await insertDevices(ctx, groupId, wanted)
  await refuseOverfull(ctx, groupId, 'devices')
}

/** Puts people of the company into a group; refuses all where one is not. Throws GROUP_FULL or a 422. */
export async function putUsers(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  needsDeviceView(ctx, 'userIds')
  const wanted = [...new Set(ids)]
  if ((await namesOfUsers(ctx, wanted)).length < wanted.length) throw invalidField('userIds', 'rule.unknownItem')
  await insertUsers(ctx, groupId, wanted)
  await refuseOverfull(ctx, groupId, 'users')
}

/**
 * Adds a device, and gives it the group's limits where `give` is there. Throws NOT_FOUND, GROUP_FULL, FORBIDDEN, LIMITS_NEEDED or a
 * 422.
 */
export async function addDevice(
  ctx: Context,
  groupId: string,
  deviceId: string,
  give: GiveLimits | null,
): Promise<number> {
  const group = await findGroup(ctx, groupId, locked)
  const device = await findVisible(ctx, deviceIdOf(deviceId))
  await putDevices(ctx, group.id, [deviceId])
  if (give) await give(ctx, [device.id], limitsToGive(ctx, group))
  ctx.audit({
    action: 'groups.deviceAdded',
    target: target(group),
    after: { device: device.name, deviceId: String(device.id), ...(give && { limits: limitsOfGroup(group) }) },
  })
  return device.id
}

/**
 * Adds several, and gives all of them the group's limits where `give` is there; returns how many were not in it. Throws NOT_FOUND,
 * GROUP_FULL, FORBIDDEN, LIMITS_NEEDED or a 422.
 */
export async function addDevices(
  ctx: Context,
  groupId: string,
  ids: readonly string[],
  give: GiveLimits | null,
): Promise<number> {
  const group = await findGroup(ctx, groupId, locked)
  const inside = new Set(await allInside(ctx, group.id))
  await putDevices(ctx, group.id, ids)
  const wanted = [...new Set(ids.map(deviceIdOf))]
  if (give) await give(ctx, wanted, limitsToGive(ctx, group))
  const added = wanted.filter((id) => !inside.has(id))
  if (added.length > 0 || give)
    ctx.audit({
      action: 'groups.devicesAdded',
      target: target(group),
      after: {
        count: added.length,
        devices: await namesOfDevices(ctx, added, maxAuditNames),
        ...(give && { limits: limitsOfGroup(group), appliedTo: wanted.length }),
      },
    })
  return added.length
}

/** Throws NOT_FOUND, GROUP_FULL or a 422. */
export async function addUser(ctx: Context, groupId: string, userId: string): Promise<void> {
  const group = await findGroup(ctx, groupId, locked)
  const [user] = await namesOfUsers(ctx, [userId])
  if (user === undefined) throw new AppError('NOT_FOUND')
  await putUsers(ctx, group.id, [userId])
  ctx.audit({ action: 'groups.userAdded', target: target(group), after: { user } })
}

/** Takes out those of these that are in it and that the person may see. Throws NOT_FOUND. */
export async function removeDevices(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  const group = await findGroup(ctx, groupId, locked)
  const seen = new Set(await memberDevices(ctx, group.id))
  const leaving = ids.map(deviceIdOf).filter((id) => seen.has(id))
  const devices = await deleteDevices(ctx, group.id, leaving)
  ctx.audit({ action: 'groups.devicesRemoved', target: target(group), before: { devices } })
}

/** Throws NOT_FOUND. */
export async function removeUsers(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  const group = await findGroup(ctx, groupId, locked)
  const users = await deleteUsers(ctx, group.id, ids)
  ctx.audit({ action: 'groups.usersRemoved', target: target(group), before: { users } })
}
