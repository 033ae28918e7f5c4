import type { AuditQuery } from '@isotherm/contract/audit.ts'
import type { Permission } from '@isotherm/contract/permissions.ts'
import { type RawBuilder, sql } from 'kysely'
import { seesPrivate } from '../../platform/auth/visibility.ts'
import { containing } from '../../platform/db/search.ts'
import type { Context } from '../../platform/http/context.ts'

export interface AuditRow {
  seq: string
  at: Date
  actor: { kind: string; id?: string; name?: string }
  action: string
  target: { kind: string; id: string; name: string } | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
  origin: { address?: string; agent?: string }
}

// Of what begins so, those hear who may view the feature; all else is for Admins, and for whoever did it.
const needs: Record<string, Permission> = {
  devices: 'devices.view',
  geofences: 'devices.view',
  pointsOfInterest: 'devices.view',
  alarms: 'alarms.view',
  users: 'users.view',
  wallet: 'payments.view',
}

/** What a person may read: an Admin everything; others their own, and of features they may view what is not private. */
function readable(ctx: Context): RawBuilder<boolean> {
  if (ctx.person.role === 'admin') return sql<boolean>`true`
  const features = Object.keys(needs).filter((feature) => needs[feature] && ctx.can(needs[feature]))
  const hidden = seesPrivate(ctx.person)
    ? sql<boolean>`false`
    : sql<boolean>`(l.target ->> 'kind' = 'device' and exists (select from devices d where d.company_id = l.company_id
        and d.id::text = l.target ->> 'id' and d.visibility = 'private'))
      or (l.target ->> 'kind' = 'alarm' and exists (select from alarms a where a.company_id = l.company_id
        and a.id::text = l.target ->> 'id' and a.visibility = 'private'))
      or (l.target ->> 'kind' = 'trigger' and exists (select from alarm_triggers t
        join alarms a on a.company_id = t.company_id and a.id = t.alarm_id
        join devices d on d.company_id = t.company_id and d.id = t.device_id
        where t.company_id = l.company_id and t.id::text = l.target ->> 'id' and 'private' in (a.visibility, d.visibility)))`
  return sql<boolean>`(l.actor ->> 'id' = ${ctx.person.id} and l.actor ->> 'kind' = 'user')
    or (split_part(l.action, '.', 1) = any(${features}::text[]) and not coalesce(${hidden}, false))`
}

/** One page of the trail that the person may read, newest first, and how many entries there are in all. */
export async function listTrail(ctx: Context, query: AuditQuery): Promise<{ rows: AuditRow[]; total: number }> {
  const conditions: RawBuilder<unknown>[] = [sql`l.company_id = ${ctx.companyId}`, sql`(${readable(ctx)})`]
  if (query.from) conditions.push(sql`l.at >= ${new Date(query.from)}`)
  if (query.to) conditions.push(sql`l.at <= ${new Date(query.to)}`)
  if (query.feature) conditions.push(sql`split_part(l.action, '.', 1) = ${query.feature}`)
  if (query.search) {
    const pattern = containing(query.search)
    conditions.push(sql`(l.actor ->> 'name' ilike ${pattern} or l.target ->> 'name' ilike ${pattern}
      or l.action ilike ${pattern} or l.reason ilike ${pattern} or l.before::text ilike ${pattern} or l.after::text ilike ${pattern})`)
  }
  const where = sql.join(conditions, sql` and `)
  const [page, count] = await Promise.all([
    sql<AuditRow>`select l.* from audit_log l where ${where} order by l.seq desc
      limit ${query.perPage} offset ${(query.page - 1) * query.perPage}`.execute(ctx.tx),
    sql<{ n: number }>`select count(*)::int as n from audit_log l where ${where}`.execute(ctx.tx),
  ])
  return { rows: page.rows, total: count.rows[0]?.n ?? 0 }
}
