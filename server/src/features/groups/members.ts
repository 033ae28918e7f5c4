import type { Limits } from '@isotherm/contract/device-limits.ts'
import { groupLimits } from '@isotherm/contract/groups.ts'
import { sql } from 'kysely'
import { noteCompany } from '../../platform/devices/settings-changes.ts'
import { deviceIdOf, findVisible, visibleSql } from '../../platform/devices/visible-devices.ts'
import { findGroup, type GroupRow, memberDevices } from '../../platform/groups/visible-groups.ts'
import { AppError, invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { limitsOfGroup } from './present.ts'

/** Sets limits of devices from now on. The app hands it in. */
export type GiveLimits = (ctx: Context, deviceIds: readonly number[], limits: Limits) => Promise<void>

export const target = ({ id, name }: Pick<GroupRow, 'id' | 'name'>) => ({ kind: 'group', id, name })

async function checkRoom(ctx: Context, groupId: string, table: 'group_devices' | 'group_users', most: number) {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
    where company_id = ${ctx.companyId} and group_id = ${groupId}::int8`.execute(ctx.tx)
  if ((rows[0]?.n ?? 0) > most) throw new AppError('GROUP_FULL', { limit: most })
}

/** Members of a group see its devices: a person who chooses members must be allowed to view devices. Throws a 422. */
export function needsDeviceView(ctx: Context, path: 'deviceIds' | 'userIds'): void {
  if (!ctx.can('devices.view')) throw invalidField(path, 'rule.devicesNotSeen')
}

/** Adds devices the person may see; refuses all where one is not. Those in it already stay as they are. */
export async function insertDevices(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  needsDeviceView(ctx, 'deviceIds')
  const wanted = [...new Set(ids.map(deviceIdOf))]
  const { rows } = await sql<{ id: number }>`select d.id from devices d
    where ${visibleSql(ctx)} and d.id = any(${wanted}::int4[]) and d.decommissioned_at is null`.execute(ctx.tx)
  if (rows.length < wanted.length) throw invalidField('deviceIds', 'rule.unknownItem')
  await sql`insert into group_devices (company_id, group_id, device_id, added_at)
    select ${ctx.companyId}, ${groupId}::int8, id, ${ctx.clock.now()} from unnest(${wanted}::int4[]) as id
    on conflict do nothing`.execute(ctx.tx)
  await noteCompany(ctx)
  await checkRoom(ctx, groupId, 'group_devices', groupLimits.devices)
}

/** Adds people of the company; refuses all where one is not. */
export async function insertUsers(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  needsDeviceView(ctx, 'userIds')
  const wanted = [...new Set(ids)]
  const { rows } = await sql`select from users where company_id = ${ctx.companyId} and archived_at is null
    and id = any(${wanted}::int8[])`.execute(ctx.tx)
  if (rows.length < wanted.length) throw invalidField('userIds', 'rule.unknownItem')
  await sql`insert into group_users (company_id, group_id, user_id, added_at)
    select ${ctx.companyId}, ${groupId}::int8, id, ${ctx.clock.now()} from unnest(${wanted}::int8[]) as id
    on conflict do nothing`.execute(ctx.tx)
  await checkRoom(ctx, groupId, 'group_users', groupLimits.users)
}

/** Gives the group's default limits to these devices, for what is measured from now on. Throws FORBIDDEN, LIMITS_NEEDED. */
export async function applyLimits(ctx: Context, give: GiveLimits, group: GroupRow, deviceIds: readonly number[]) {
  if (!ctx.can('devices.addOrEdit')) throw new AppError('FORBIDDEN')
  const limits = limitsOfGroup(group)
  if (!limits) throw new AppError('LIMITS_NEEDED')
  await give(ctx, deviceIds, limits)
}

export async function addDevice(
  ctx: Context,
  groupId: string,
  deviceId: string,
  give: GiveLimits | null,
): Promise<number> {
  const group = await findGroup(ctx, groupId, { lock: true })
  const device = await findVisible(ctx, deviceIdOf(deviceId))
  await insertDevices(ctx, group.id, [deviceId])
  if (give) await applyLimits(ctx, give, group, [device.id])
  ctx.audit({
    action: 'groups.deviceAdded',
    target: target(group),
    after: { device: device.name, deviceId: String(device.id), ...(give && { limits: limitsOfGroup(group) }) },
  })
  return device.id
}

/** Adds several, and gives all of them the group's limits where `give` is there; returns how many were not in it. */
export async function addDevices(
  ctx: Context,
  groupId: string,
  ids: readonly string[],
  give: GiveLimits | null,
): Promise<number> {
  const group = await findGroup(ctx, groupId, { lock: true })
  const inside = new Set(await allInside(ctx, group.id))
  await insertDevices(ctx, group.id, ids)
  const wanted = [...new Set(ids.map(deviceIdOf))]
  if (give) await applyLimits(ctx, give, group, wanted)
  const added = wanted.filter((id) => !inside.has(id))
  const { rows } = await sql<{ id: string; name: string }>`select id::text, name from devices
    where company_id = ${ctx.companyId} and id = any(${added}::int4[]) order by lower(name) limit ${maxAuditNames}`.execute(
    ctx.tx,
  )
  if (added.length > 0 || give)
    ctx.audit({
      action: 'groups.devicesAdded',
      target: target(group),
      after: {
        count: added.length,
        devices: rows,
        ...(give && { limits: limitsOfGroup(group), appliedTo: wanted.length }),
      },
    })
  return added.length
}

/** Names of devices that one entry of the audit trail lists. */
const maxAuditNames = 50

/** The ids of all devices in a group, also of those that the person does not see. */
async function allInside(ctx: Context, groupId: string): Promise<number[]> {
  const rows = await ctx.tx
    .selectFrom('group_devices')
    .select('device_id')
    .where('company_id', '=', ctx.companyId)
    .where('group_id', '=', groupId)
    .execute()
  return rows.map(({ device_id }) => device_id)
}

export async function addUser(ctx: Context, groupId: string, userId: string): Promise<void> {
  const group = await findGroup(ctx, groupId, { lock: true })
  const person = await ctx.tx
    .selectFrom('users')
    .select('fullname')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', userId)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (!person) throw new AppError('NOT_FOUND')
  await insertUsers(ctx, group.id, [userId])
  ctx.audit({ action: 'groups.userAdded', target: target(group), after: { user: person.fullname } })
}

/** Takes out those of these that are in it and that the person may see. */
export async function removeDevices(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  const group = await findGroup(ctx, groupId, { lock: true })
  const seen = new Set(await memberDevices(ctx, group.id))
  const leaving = ids.map(deviceIdOf).filter((id) => seen.has(id))
  const { rows } = await sql<{ id: string; name: string }>`
    with gone as (delete from group_devices where company_id = ${ctx.companyId} and group_id = ${group.id}::int8
      and device_id = any(${leaving}::int4[]) returning device_id)
    select d.id::text, d.name from gone join devices d on d.company_id = ${ctx.companyId} and d.id = gone.device_id
    order by d.name`.execute(ctx.tx)
  await noteCompany(ctx)
  ctx.audit({
    action: 'groups.devicesRemoved',
    target: target(group),
    before: { devices: rows },
  })
}

export async function removeUsers(ctx: Context, groupId: string, ids: readonly string[]): Promise<void> {
  const group = await findGroup(ctx, groupId, { lock: true })
  const { rows } = await sql<{ fullname: string }>`
    with gone as (delete from group_users where company_id = ${ctx.companyId} and group_id = ${group.id}::int8
      and user_id = any(${ids}::int8[]) returning user_id)
    select u.fullname from gone join users u on u.company_id = ${ctx.companyId} and u.id = gone.user_id
    order by u.fullname`.execute(ctx.tx)
  ctx.audit({
    action: 'groups.usersRemoved',
    target: target(group),
    before: { users: rows.map(({ fullname }) => fullname) },
  })
}
