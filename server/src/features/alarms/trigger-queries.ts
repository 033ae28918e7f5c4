import { type TriggerQuery, type TriggerState, triggerStates } from '@isotherm/contract/triggers.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { assigneeSql, isLookedAfterSql, peopleSql, seesTriggerSql } from '../../core/alarms/assignee-sql.ts'
import { seesAlarmsText } from '../../core/alarms/recipient-sql.ts'
import { isSql, stateSql } from '../../core/alarms/trigger-sql.ts'
import { groupDevicesSql } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { allRows, countRows, orderOf } from '../../platform/db/rows.ts'
import type { AlarmTriggers } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { triggersSql, visibleTriggerSql } from './visible-sql.ts'

export interface ReceiptRow {
  channel: string
  to: string
  event: string
  state: string
  reason: string | null
  at: string
}

export interface TriggerRow extends Selectable<AlarmTriggers> {
  state: TriggerState
  receipts: ReceiptRow[]
  is_recipient: boolean
  alarm_is_private: boolean
  assignee: { id: string; name: string } | null
  comments: number
}

/** The names of its time. */
export const namesOf = ({ names }: Pick<TriggerRow, 'names'>) =>
  names as unknown as { alarm: string; device: string; fence?: string }

// The app's lines of a trigger, found among those of its device since it began, which the index of lines has: in a storm, or
// after years, there are very many of a company. (A device's clock may be ahead by some minutes.)
const linesSql = sql`n.company_id = t.company_id and n.device_id = t.device_id
  and n.at >= least(t.breach_at, t.recorded_at) - interval '1 hour' and n.trigger_id = t.id and n.kind <> 'deliveryFailed'`

// Receipts: read from the app's own notifications and from the messages.
const receiptsSql = sql`
  (select coalesce(json_agg(receipt order by receipt.at), '[]') from (
    select 'app' as channel, u.fullname as to, case n.kind when 'alarmNormal' then 'normal' when 'alarmReminder' then 'reminder'
        when 'alarmEscalated' then 'escalated' when 'alarmWithdrawn' then 'withdrawn'
        when 'alarmAssigned' then 'assigned' else 'opened' end as event,
      case when n.read_at is null then 'unread' else 'read' end as state, null as reason, n.at
    from notifications n join users u on u.company_id = n.company_id and u.id = n.user_id
    where ${linesSql}
    union all
    select d.channel, coalesce(u.fullname, d.address), d.event, d.state, d.reason, coalesce(d.accepted_at, d.created_at)
    from delivery_triggers x join deliveries d on d.company_id = x.company_id and d.id = x.delivery_id
    left join users u on u.company_id = d.company_id and u.id = d.user_id
    where x.company_id = t.company_id and x.trigger_id = t.id) as receipt)`

/** Whether a person was told of a trigger. */
const wasToldSql = (userId: RawBuilder<unknown>) => sql<boolean>`(exists (select from notifications n
    where ${linesSql} and n.user_id = ${userId})
  or exists (select from delivery_triggers x join deliveries o on o.company_id = x.company_id and o.id = x.delivery_id
    where x.company_id = t.company_id and x.trigger_id = t.id and o.user_id = ${userId}))`

const columns = (
  ctx: Context,
) => sql`t.*, ${stateSql} as state, ${receiptsSql} as receipts, ${wasToldSql(sql`${ctx.person.id}::int8`)} as is_recipient,
  a.visibility = 'private' as alarm_is_private, ${assigneeSql} as assignee,
  (select count(*)::int from trigger_comments c where c.company_id = t.company_id and c.trigger_id = t.id) as comments`

const usual: readonly TriggerState[] = ['open', 'acknowledged', 'normal']

function statesOf(asked: string | undefined): readonly TriggerState[] {
  if (!asked) return usual
  const states = asked.split(',')
  const known = triggerStates.filter((state) => states.includes(state))
  if (known.length !== new Set(states).size)
    throw invalidField('states', 'choice', { choices: triggerStates.join(', ') })
  return known
}

type TriggerFilters = Partial<
  Pick<TriggerQuery, 'from' | 'to' | 'severity' | 'alarm' | 'device' | 'group' | 'search' | 'assignee'>
>

const assignedSql = (ctx: Context) => ({
  me: sql<boolean>`coalesce(t.assigned_to = ${ctx.person.id}::int8, false)`,
  nobody: sql<boolean>`(t.assigned_to is null or not ${isLookedAfterSql})`,
})

function filtersOf(ctx: Context, query: TriggerFilters): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [visibleTriggerSql(ctx)]
  if (query.assignee) conditions.push(assignedSql(ctx)[query.assignee])
  if (query.from) conditions.push(sql`${began} >= ${new Date(query.from)}`)
  if (query.to) conditions.push(sql`${began} <= ${new Date(query.to)}`)
  if (query.severity) conditions.push(sql`t.severity = ${query.severity}`)
  if (query.alarm) conditions.push(sql`t.alarm_id = ${query.alarm}::int8`)
  if (query.device) conditions.push(sql`t.device_id = ${query.device}::int8`)
  if (query.group) conditions.push(sql`t.device_id in ${groupDevicesSql(ctx, query.group)}`)
  if (query.search) {
    const pattern = containing(query.search)
    conditions.push(sql`(d.name ilike ${pattern} or a.name ilike ${pattern})`)
  }
  return sql.join(conditions, sql` and `)
}

const orders: Record<string, RawBuilder<unknown>> = {
  openedAt: sql`coalesce(t.opened_at, t.breach_at)`,
  severity: sql`t.severity = 'critical'`,
  deviceName: sql`lower(d.name)`,
}

const began = sql`coalesce(t.opened_at, t.breach_at)`
// Those that nobody knows of before those that somebody knows of, critical before warning.
const urgency = sql`case ${stateSql} when 'open' then 0 when 'acknowledged' then 2 when 'normal' then 4 else 6 end
  + case t.severity when 'critical' then 0 else 1 end`
const urgentFirst = sql`min(${urgency}) over (partition by t.device_id), max(${began}) over (partition by t.device_id) desc,
  t.device_id, ${urgency}, ${began} desc, t.id desc`

const orderBy = ({ sort }: TriggerQuery) =>
  sort === 'urgency' ? urgentFirst : sql`${orderOf(orders, sort)}, ${began} desc, t.id desc`

/** Receipts are looked up for the page alone, not for all rows before it. */
const readPage = (
  ctx: Context,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  { page, perPage }: { page: number; perPage: number },
) =>
  allRows<TriggerRow>(ctx.tx)`select ${columns(ctx)} from (
      select company_id, id, row_number() over () as nth from (
        select t.company_id, t.id from ${triggersSql} where ${where} order by ${order} limit ${perPage} offset ${(page - 1) * perPage}
      ) as ordered
    ) as page join (${triggersSql}) on t.company_id = page.company_id and t.id = page.id
    order by page.nth`

interface Counted {
  state: TriggerState
  severity: keyof typeof noSeverity
  n: number
  mine: number
  nobodys: number
}
const noSeverity = { warning: 0, critical: 0 }

/** One page of the triggers the person may see, and how many each state, severity and assignee would leave. Throws VALIDATION for an unknown state. */
export async function listTriggers(ctx: Context, query: TriggerQuery) {
  const where = filtersOf(ctx, query)
  const wanted = statesOf(query.states)
  const { me, nobody } = assignedSql(ctx)
  const chosen = query.assignee ? assignedSql(ctx)[query.assignee] : sql`true`
  const isWanted = sql`${stateSql} = any(${[...wanted]}::text[])`
  const counted = await allRows<Counted>(ctx.tx)`
    select ${stateSql} as state, t.severity, count(*) filter (where ${chosen})::int as n,
      count(*) filter (where ${isWanted} and ${me})::int as mine, count(*) filter (where ${isWanted} and ${nobody})::int as nobodys
    from ${triggersSql} where ${filtersOf(ctx, { ...query, assignee: undefined, severity: undefined })} group by 1, 2`
  const counts = Object.fromEntries(triggerStates.map((state) => [state, 0])) as Record<TriggerState, number>
  const assigned = { me: 0, nobody: 0 }
  const severities = { ...noSeverity }
  for (const { state, severity, n, mine, nobodys } of counted) {
    if (wanted.includes(state)) severities[severity] += n
    if (query.severity && query.severity !== severity) continue
    counts[state] += n
    assigned.me += mine
    assigned.nobody += nobodys
  }
  const filterCounts = { severity: { all: severities.warning + severities.critical, ...severities } }
  const rows = await readPage(ctx, sql`${where} and ${isWanted}`, orderBy(query), query)
  return { rows, counts, assigned, filterCounts, total: wanted.reduce((sum, state) => sum + counts[state], 0) }
}

const overSql = (ctx: Context, filters: TriggerFilters) => sql`${filtersOf(ctx, filters)} and ${stateSql} = 'normal'`

/** The triggers that are back to normal and not resolved, the oldest first. */
export const findOver = async (ctx: Context, filters: TriggerFilters, most: number): Promise<string[]> =>
  (
    await allRows<{ id: string }>(ctx.tx)`
      select t.id from ${triggersSql} where ${overSql(ctx, filters)} order by t.id limit ${most}`
  ).map(({ id }) => id)

export const countOver = (ctx: Context, filters: TriggerFilters): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n from ${triggersSql} where ${overSql(ctx, filters)}`

/** The open critical triggers, newest first. */
export async function listCriticals(ctx: Context, paging: { page: number; perPage: number }) {
  const where = sql`${visibleTriggerSql(ctx)} and t.severity = 'critical' and ${isSql('lasting')}`
  const rows = await readPage(ctx, where, sql`t.opened_at desc, t.id desc`, paging)
  return { rows, total: await countRows(ctx.tx)`select count(*)::int as n from ${triggersSql} where ${where}` }
}

/** Triggers by id that the person may see. */
export const findTriggers = (ctx: Context, ids: readonly string[]): Promise<TriggerRow[]> =>
  allRows<TriggerRow>(ctx.tx)`select ${columns(ctx)} from ${triggersSql}
    where ${visibleTriggerSql(ctx)} and t.id = any(${ids}::int8[])`

/** A trigger that the person may see; throws NOT_FOUND for any other. */
export async function loadTrigger(ctx: Context, id: string): Promise<TriggerRow> {
  const [row] = await findTriggers(ctx, [id])
  return orNotFound(row)
}

/** Holds them against other people's clicks until the transaction ends. */
export const lockTriggers = (ctx: Context, ids: readonly string[]) =>
  sql`select id from alarm_triggers where company_id = ${ctx.companyId} and id = any(${ids}::int8[])
    order by id for no key update`.execute(ctx.tx)

// mayHandle of policy.ts, for a person `u` with the permissions `p` of their role.
const editsSql = sql<boolean>`coalesce((p.matrix -> 'alarms' ->> 'addOrEdit')::bool, u.role <> 'staff')`
const mayHandleSql = sql<boolean>`(${editsSql} or ${wasToldSql(sql`u.id`)})`

/** Those of these triggers that a person can look after: they see them and may handle them. */
export const findAssignable = async (ctx: Context, ids: readonly string[], userId: string): Promise<string[]> =>
  (
    await allRows<{ id: string }>(
      ctx.tx,
    )`select t.id from ${triggersSql} join ${peopleSql} on u.company_id = t.company_id
      where ${visibleTriggerSql(ctx)} and t.id = any(${ids}::int8[]) and u.id = ${userId}::int8
        and ${seesTriggerSql} and ${mayHandleSql}`
  ).map(({ id }) => id)

/** The people who can look after a trigger, the first 50 by name. */
export const listAssignees = (ctx: Context, id: string, search = '') =>
  allRows<{ id: string; name: string }>(ctx.tx)`select u.id, u.fullname as name
    from ${triggersSql} join ${peopleSql} on u.company_id = t.company_id
    where ${visibleTriggerSql(ctx)} and t.id = ${id}::int8 and ${seesTriggerSql} and ${mayHandleSql}
      and u.fullname ilike ${containing(search)} order by lower(u.fullname), u.id limit 50`

/** The people who may edit alarms, the first 50 by name. */
export const listEditors = (ctx: Context, search = '') =>
  allRows<{ id: string; name: string }>(ctx.tx)`select u.id, u.fullname as name from ${peopleSql}
    where u.company_id = ${ctx.companyId} and ${sql.raw(seesAlarmsText)} and ${editsSql}
      and u.fullname ilike ${containing(search)} order by lower(u.fullname), u.id limit 50`
