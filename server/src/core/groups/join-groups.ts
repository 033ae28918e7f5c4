import { groupLimits } from '@isotherm/contract/groups.ts'
import { sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { lowerCase } from '../../platform/db/lower-case.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { noteCompany } from '../devices/settings-changes.ts'
import { visibleGroupSql } from './visible-groups.ts'

export interface NamedGroup {
  id: string
  name: string
}

/** The groups of these names that the person may see, by name in small letters. */
export async function groupsByName(ctx: Context, names: readonly string[]): Promise<Map<string, NamedGroup>> {
  if (names.length === 0) return new Map()
  const { rows } = await sql<NamedGroup>`
    select g.id, g.name from groups g where ${visibleGroupSql(ctx)}
      and lower(g.name) = any(select lower(n) from unnest(${[...names]}::text[]) as t (n))`.execute(ctx.tx)
  return new Map(rows.map((group) => [lowerCase(group.name), group]))
}

/** Which groups these devices are in, by the device's id. */
export async function groupsOfDevices(ctx: Context, deviceIds: readonly number[]): Promise<Map<number, Set<string>>> {
  if (deviceIds.length === 0) return new Map()
  const { rows } = await sql<{ device_id: number; ids: string[] }>`
    select device_id, array_agg(group_id::text) as ids from group_devices
    where company_id = ${ctx.companyId} and device_id = any(${[...deviceIds]}::int4[]) group by 1`.execute(ctx.tx)
  return new Map(rows.map(({ device_id, ids }) => [device_id, new Set(ids)]))
}

export interface Joining {
  group: NamedGroup
  device: { id: number; name: string }
}

/** Names of devices that one entry of the audit trail lists. */
const maxAuditNames = 50

/** Puts devices into groups, both of which the caller has checked; those in already stay. Throws GROUP_FULL. */
export async function joinGroups(ctx: Context, joining: readonly Joining[]): Promise<void> {
  if (joining.length > 0) await noteCompany(ctx)
  const byGroup = new Map<string, Joining[]>()
  for (const each of joining) byGroup.set(each.group.id, [...(byGroup.get(each.group.id) ?? []), each])
  // Always in the same order: two files at once must not wait for each other.
  for (const [groupId, members] of [...byGroup].sort(([a], [b]) => Number(a) - Number(b))) {
    const { rows } = await sql<{ n: number }>`
      with locked as (select id from groups where company_id = ${ctx.companyId} and id = ${groupId}::int8 for no key update),
        added as (insert into group_devices (company_id, group_id, device_id, added_at)
          select ${ctx.companyId}::int4, locked.id, t.id, ${ctx.clock.now()}::timestamptz
          from locked, unnest(${members.map(({ device }) => device.id)}::int4[]) as t (id)
          on conflict do nothing returning device_id)
      select (select count(*) from added)::int + (select count(*) from group_devices
        where company_id = ${ctx.companyId} and group_id = ${groupId}::int8)::int as n`.execute(ctx.tx)
    if ((rows[0]?.n ?? 0) > groupLimits.devices) throw new AppError('GROUP_FULL', { limit: groupLimits.devices })
    const [first] = members
    ctx.audit({
      action: 'groups.devicesAdded',
      target: { kind: 'group', id: groupId, name: first?.group.name ?? '' },
      after: {
        count: members.length,
        devices: members.slice(0, maxAuditNames).map(({ device }) => ({ id: String(device.id), name: device.name })),
      },
    })
  }
}
