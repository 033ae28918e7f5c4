import type { LiveNotification } from '@isotherm/contract/live.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Context } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import { countRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** A line of one person's notification centre, as the table has it. */
export interface Line {
  company_id: number
  user_id: string
  kind: string
  severity: 'info' | 'warning' | 'critical'
  device_id: number | null
  alarm_id: string | null
  trigger_id: string | null
  /** The values of its text. */
  params: object
  at: string | Date
}

/** The live event for the browsers of a person, sent after the commit. */
export type News = LiveNotification & { companyId: number; userId: string }

const insertSql = `
insert into notifications (company_id, user_id, kind, severity, device_id, alarm_id, trigger_id, params, at)
select * from jsonb_to_recordset($1::jsonb) as n (company_id int4, user_id int8, kind text, severity text, device_id int4,
  alarm_id int8, trigger_id int8, params jsonb, at timestamptz)
returning id, company_id as "companyId", user_id as "userId", severity`
const unreadSql = `
select company_id as "companyId", user_id as "userId", count(*)::int as unread from notifications
where read_at is null and (company_id, user_id) in (select * from unnest($1::int4[], $2::int8[])) group by 1, 2`

interface Written {
  id: string
  companyId: number
  userId: string
  severity: 'info' | 'warning' | 'critical'
}

/** Writes lines, as pipeline; returns what is to be announced after the commit. */
export async function writeLines(client: Client, lines: readonly Line[]): Promise<News[]> {
  if (lines.length === 0) return []
  const { rows } = await client.query<Written>(insertSql, [JSON.stringify(lines)])
  const newest = new Map(rows.map((row) => [`${row.companyId} ${row.userId}`, row]))
  const people = [...newest.values()]
  const { rows: counts } = await client.query<{ companyId: number; userId: string; unread: number }>(unreadSql, [
    people.map(({ companyId }) => companyId),
    people.map(({ userId }) => userId),
  ])
  return counts.map(({ companyId, userId, unread }) => {
    const added = newest.get(`${companyId} ${userId}`)
    return { companyId, userId, unread, added: added ? { id: added.id, severity: added.severity } : null }
  })
}

export function announce(bus: Bus, news: readonly News[]): void {
  for (const { companyId, userId, ...data } of news)
    bus.publish({ companyId, kind: 'notification', userId, data: data satisfies LiveNotification })
}

/** Marks those as read that are unread; all of them where no ids are given. */
export async function markRead(ctx: Context, ids: readonly string[] | null): Promise<void> {
  let unread = ctx.tx
    .updateTable('notifications')
    .set({ read_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('user_id', '=', ctx.person.id)
    .where('read_at', 'is', null)
  if (ids) unread = unread.where('id', 'in', [...ids])
  await unread.execute()
}

/** Marks a person's lines about triggers as read: they know of them. Their browsers hear how many are unread now. */
export async function markTriggersRead(ctx: Context, triggers: readonly string[]): Promise<void> {
  if (triggers.length === 0) return
  const { numUpdatedRows } = await ctx.tx
    .updateTable('notifications')
    .set({ read_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('user_id', '=', ctx.person.id)
    .where('read_at', 'is', null)
    .where('trigger_id', 'in', [...triggers])
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  const unread = await countRows(ctx.tx)`select count(*)::int as n from notifications
    where company_id = ${ctx.companyId} and user_id = ${ctx.person.id}::int8 and read_at is null`
  const event = { companyId: ctx.companyId, kind: 'notification' as const, userId: ctx.person.id }
  ctx.afterCommit(() => ctx.services.bus.publish({ ...event, data: { unread, added: null } }))
}

/** Deletes the lines about a sample device. As pipeline. */
export const deleteSampleLines = (tx: Tx, { companyId, id }: { companyId: number; id: number }) =>
  tx.deleteFrom('notifications').where('company_id', '=', companyId).where('device_id', '=', id).execute()
