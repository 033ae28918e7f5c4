import { isIP } from 'node:net'
import { type AuditFilter, type AuditQuery, auditFeatures } from '@isotherm/contract/audit.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { Module } from '@isotherm/contract/permissions.ts'
import { type RawBuilder, sql } from 'kysely'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { textsOf } from '../../platform/i18n/i18n.ts'

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

// Entries of these features are for people with the permission; all others are for Admins, and for the author.
const modules: Record<string, Module> = {
  devices: 'devices',
  geofences: 'devices',
  pointsOfInterest: 'devices',
  groups: 'groups',
  records: 'devices',
  reports: 'reports',
  alarms: 'alarms',
  users: 'users',
  wallet: 'payments',
}

/** The entries that a person may read (or export): an Admin everything; others their own, and that of features they may, but for what is private now. */
function readable(ctx: Context, action: 'view' | 'export'): RawBuilder<boolean> {
  if (ctx.person.role === 'admin') return sql<boolean>`true`
  const features = Object.entries(modules).flatMap(([feature, module]) =>
    ctx.can(`${module}.${action}`) && ctx.can(`${module}.view`) ? [feature] : [],
  )
  return sql<boolean>`((l.actor ->> 'id' = ${ctx.person.id} and l.actor ->> 'kind' = 'user') or l.feature = any(${features}::text[]))
    and not coalesce(${hidden(ctx)}, false)`
}

// Asked for once each, not for every entry.
const hidden = ({ companyId, person }: Context) => {
  const isPrivateGroup = sql`(g.visibility = 'private' and not exists (select from group_users u
    where u.company_id = g.company_id and u.group_id = g.id and u.user_id = ${person.id}::int8))`
  return sql<boolean>`case l.target ->> 'kind'
  when 'device' then l.target ->> 'id' in (select d.id::text from devices d
    where d.company_id = ${companyId} and d.visibility = 'private')
  when 'alarm' then l.target ->> 'id' in (select a.id::text from alarms a
    where a.company_id = ${companyId} and a.visibility = 'private')
  when 'group' then l.target ->> 'id' in (select g.id::text from groups g
    where g.company_id = ${companyId} and ${isPrivateGroup})
  when 'trigger' then l.target ->> 'id' in (select t.id::text from alarm_triggers t
    join alarms a on a.company_id = t.company_id and a.id = t.alarm_id
    join devices d on d.company_id = t.company_id and d.id = t.device_id
    where t.company_id = ${companyId} and 'private' in (a.visibility, d.visibility))
  when 'record' then l.target ->> 'id' in (select r.id::text from records r
    left join groups g on g.company_id = r.company_id and g.id = r.group_id
    left join record_devices m on m.company_id = r.company_id and m.record_id = r.id
      and (r.group_id is null or g.archived_at is not null)
    left join devices d on d.company_id = m.company_id and d.id = m.device_id
    where r.company_id = ${companyId} and (coalesce(${isPrivateGroup}, false) or d.visibility = 'private'))
  when 'report' then l.target ->> 'id' in (select x.report_id::text from report_targets x
    left join groups g on g.company_id = x.company_id and g.id = x.group_id
    left join devices d on d.company_id = x.company_id and d.id = x.device_id
    where x.company_id = ${companyId} and (coalesce(${isPrivateGroup}, false) or d.visibility = 'private'))
  else false end`
}

/** The actions whose text, as the person reads it, holds what they look for. */
function actionsNamed(locale: Locale, search: string): string[] {
  const wanted = search.toLocaleLowerCase(locale)
  return auditFeatures.flatMap((feature) =>
    Object.entries(textsOf(locale, `audit:${feature}`)).flatMap(([name, text]) =>
      text.toLocaleLowerCase(locale).includes(wanted) ? [`${feature}.${name}`] : [],
    ),
  )
}

/** An address in the form that entries have it, whichever of its forms somebody looks for; any other text as it is. */
function addressMeant(search: string): string {
  const bare = search.trim().replace(/\/(?:32|128)$/, '')
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(bare)?.[1]
  if (mapped || isIP(bare) === 4) return mapped ?? bare
  return isIP(bare) === 6 && !bare.includes('%') ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : search
}

// Entries about these name devices, which may be private: whoever may not see them finds such entries by what is theirs to
// read in any case.
const searchable = (ctx: Context): RawBuilder<string> =>
  seesPrivate(ctx.person)
    ? sql<string>`l.words`
    : sql<string>`case when l.feature in ('alarms', 'groups', 'records', 'reports')
        then lower(concat_ws(' ', l.actor ->> 'name', l.target ->> 'name', l.reason, l.origin ->> 'address')) else l.words end`

function conditionsOf(ctx: Context, filter: AuditFilter, action: 'view' | 'export'): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`l.company_id = ${ctx.companyId}`, sql`(${readable(ctx, action)})`]
  if (filter.from) conditions.push(sql`l.at >= ${new Date(filter.from)}`)
  if (filter.to) conditions.push(sql`l.at <= ${new Date(filter.to)}`)
  if (filter.feature) conditions.push(sql`l.feature = ${filter.feature}`)
  if (filter.search)
    conditions.push(sql`(${searchable(ctx)} like lower(${containing(addressMeant(filter.search))})
      or l.action = any(${actionsNamed(ctx.locale, filter.search)}::text[]))`)
  return sql.join(conditions, sql` and `)
}

/** One page of the trail that the person may read, newest first. How many entries there are, `countFeatures` says. */
export const listTrail = (ctx: Context, query: AuditQuery): Promise<AuditRow[]> =>
  allRows<AuditRow>(ctx.tx)`select l.* from audit_log l where ${conditionsOf(ctx, query, 'view')}
    order by l.seq desc limit ${query.perPage} offset ${(query.page - 1) * query.perPage}`

/** How many entries each feature would leave of those that the person may read, and all of them. */
export async function countFeatures(ctx: Context, query: AuditQuery): Promise<Record<string, number>> {
  const rows = await allRows<{ feature: string; n: number }>(ctx.tx)`
    select l.feature, count(*)::int as n from audit_log l
    where ${conditionsOf(ctx, { ...query, feature: undefined }, 'view')} group by l.feature`
  const counted = new Map(rows.map(({ feature, n }) => [feature, n]))
  const all = rows.reduce((sum, { n }) => sum + n, 0)
  return { all, ...Object.fromEntries(auditFeatures.map((feature) => [feature, counted.get(feature) ?? 0])) }
}

/** Reads entries that the person may export, at most `limit` of them before entry number `before`, newest first. */
export const trailBefore = (ctx: Context, filter: AuditFilter, before: string, limit: number): Promise<AuditRow[]> =>
  allRows<AuditRow>(ctx.tx)`select l.* from audit_log l
    where ${conditionsOf(ctx, filter, 'export')} and l.seq < ${before}::int8 order by l.seq desc limit ${limit}`

/** Entries of the whole trail after one and up to another, with their hashes. */
export const trailBetween = (tx: Tx, companyId: number, after: string, last: string, limit: number) =>
  tx
    .selectFrom('audit_log')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .orderBy('seq')
    .limit(limit)
    .execute()
