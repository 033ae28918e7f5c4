import { sql } from 'kysely'
import { seesPrivate } from '../../platform/auth/visibility.ts'
import { visibleGroupSql } from '../../platform/groups/visible-groups.ts'
import type { Context } from '../../platform/http/context.ts'
import type { AuditRow } from './queries.ts'

/** What does not exist for a person: entries about alarms and groups they may see tell of such devices and groups, too. */
export interface Unseen {
  devices: Set<string>
  /** Groups' entries have only names. */
  deviceNames: Set<string>
  groups: Set<string>
}

/** Null for whoever sees everything. */
export async function unseenBy(ctx: Context): Promise<Unseen | null> {
  if (seesPrivate(ctx.person)) return null
  const [devices, groups] = await Promise.all([
    sql<{ id: string; name: string }>`select id::text, name from devices
      where company_id = ${ctx.companyId} and visibility = 'private'`.execute(ctx.tx),
    sql<{
      id: string
    }>`select o.id::text from groups o where o.company_id = ${ctx.companyId} and o.visibility = 'private'
      and not exists (select from groups g where g.id = o.id and ${visibleGroupSql(ctx)})`.execute(ctx.tx),
  ])
  return {
    devices: new Set(devices.rows.map(({ id }) => id)),
    deviceNames: new Set(devices.rows.map(({ name }) => name)),
    groups: new Set(groups.rows.map(({ id }) => id)),
  }
}

/** The entry without what does not exist for the person. */
export const redact = (row: AuditRow, unseen: Unseen | null): AuditRow =>
  unseen ? { ...row, before: seen(row.before, unseen), after: seen(row.after, unseen) } : row

function seen(facts: AuditRow['before'], unseen: Unseen): AuditRow['before'] {
  if (!facts) return facts
  const { device, devices, groups } = facts
  const left: Record<string, unknown> = { ...facts }
  if (typeof device === 'string' && unseen.deviceNames.has(device)) left.device = null
  if (Array.isArray(groups)) left.groups = groups.filter((group) => !unseen.groups.has(idOf(group)))
  if (Array.isArray(devices)) {
    const kept = devices.filter((each) => !unseen.devices.has(idOf(each)) && !unseen.deviceNames.has(each))
    left.devices = kept
    if (typeof facts.deviceCount === 'number') left.deviceCount = facts.deviceCount - (devices.length - kept.length)
  }
  return left
}

const idOf = (each: unknown): string =>
  typeof each === 'object' && each !== null && 'id' in each ? String(each.id) : ''
