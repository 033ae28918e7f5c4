import type { NotificationQuery } from '@isotherm/contract/notifications.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { groupDevicesSql } from '../../core/groups/visible-groups.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { countRows } from '../../platform/db/rows.ts'
import { closedKinds } from './policy.ts'

type NotificationFilter = Partial<z.output<typeof NotificationQuery>> & { imei?: string }

export interface NotificationRow {
  id: string
  kind: string
  severity: 'info' | 'warning' | 'critical'
  device_id: number | null
  device_name: string | null
  alarm_id: string | null
  trigger_id: string | null
  params: unknown
  at: Date
  read_at: Date | null
}

const source = sql`notifications n left join devices d on d.company_id = n.company_id and d.id = n.device_id
  left join alarms a on a.company_id = n.company_id and a.id = n.alarm_id`

/** Their own, and only those whose devices, alarms and news they may still see. */
const own = (ctx: Context) => sql`n.company_id = ${ctx.companyId} and n.user_id = ${ctx.person.id}::int8
  and (n.device_id is null or ${visibleSql(ctx)})
  and (n.alarm_id is null or ${seesPrivate(ctx.person)} or a.visibility = 'public')
  and n.kind <> all(${closedKinds(ctx)}::text[])`

function filtersOf(ctx: Context, wanted: NotificationFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [own(ctx)]
  if (wanted.from) conditions.push(sql`n.at >= ${new Date(wanted.from)}`)
  if (wanted.to) conditions.push(sql`n.at <= ${new Date(wanted.to)}`)
  if (wanted.kind) conditions.push(sql`n.kind = ${wanted.kind}`)
  if (wanted.severity) conditions.push(sql`n.severity = ${wanted.severity}`)
  if (wanted.unread) conditions.push(wanted.unread === 'true' ? sql`n.read_at is null` : sql`n.read_at is not null`)
  if (wanted.device) conditions.push(sql`n.device_id = ${wanted.device}::int8`)
  if (wanted.group) conditions.push(sql`n.device_id in ${groupDevicesSql(ctx, wanted.group)}`)
  if (wanted.imei)
    conditions.push(sql`n.device_id in (select device_id from assignments s
      where s.company_id = n.company_id and s.imei = ${wanted.imei})`)
  if (wanted.search) {
    // The visible words of a line: the device, the alarm, the place.
    const pattern = sql`'%' || replace(replace(replace(${wanted.search}::text, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`
    conditions.push(sql`(n.params ->> 'device' ilike ${pattern} or n.params ->> 'alarm' ilike ${pattern}
      or n.params ->> 'place' ilike ${pattern} or n.params ->> 'fence' ilike ${pattern}
      or n.params ->> 'receiver' ilike ${pattern})`)
  }
  return sql.join(conditions, sql` and `)
}

/** After a line of the person's own in their order; after none where there is no such line. */
const earlier = (ctx: Context, before: string | undefined) =>
  before === undefined
    ? sql`true`
    : sql`(n.at, n.id) < (select b.at, b.id from notifications b
        where b.company_id = ${ctx.companyId} and b.user_id = ${ctx.person.id}::int8 and b.id = ${before}::int8)`

/** One page of the person's notifications, newest first, whether there are earlier ones, how many there are, and how many are unread in all. */
export async function listNotifications(ctx: Context, wanted: NotificationFilter & { page: number; perPage: number }) {
  const where = filtersOf(ctx, wanted)
  const [page, count, unread] = await Promise.all([
    sql<NotificationRow>`select n.*, coalesce(n.params ->> 'device', d.name) as device_name from ${source}
      where ${where} and ${earlier(ctx, wanted.before)}
      order by n.at desc, n.id desc limit ${wanted.perPage + 1} offset ${(wanted.page - 1) * wanted.perPage}`.execute(
      ctx.tx,
    ),
    sql<{ n: number }>`select count(*)::int as n from ${source} where ${where}`.execute(ctx.tx),
    countUnread(ctx),
  ])
  const rows = page.rows.slice(0, wanted.perPage)
  return { rows, hasMore: page.rows.length > rows.length, total: count.rows[0]?.n ?? 0, unread }
}

export const countUnread = (ctx: Context): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n from ${source}
    where ${own(ctx)} and n.read_at is null`
