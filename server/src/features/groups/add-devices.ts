import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { allInside, namesOfDevices } from './member-queries.ts'
import { type GiveLimits, limitsToGive } from './policy.ts'
import { limitsOfGroup, target } from './present.ts'
import { putDevices } from './put-members.ts'

/** Names of devices that one entry of the audit trail lists. */
const maxAuditNames = 50

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
  const group = await findGroup(ctx, groupId, { lock: true })
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
  const group = await findGroup(ctx, groupId, { lock: true })
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
