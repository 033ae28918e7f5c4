import type { LiveNotification } from '@isotherm/contract/live.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Client, Pool } from '../../platform/db/pool.ts'
import { asRoad } from '../../platform/db/transaction.ts'
import { hearersOf, type Message, messagesOf } from './messages.ts'
import { alertOf, readEvents, readRecipients, type WaitingEvent } from './reading.ts'
import { reserveUnits, tellOfWallet } from './wallet.ts'

const most = 2_000

export interface DispatchTools {
  pool: Pool
  bus: Bus
  now(): Date
  publicUrl: string
  placeNameAt(lat: number, lon: number): string | null
}

/**
 * Takes the events that wait and writes, in the same transaction, who hears of them: lines of the notification centre and
 * deliveries with their wallet units. Nothing is told twice, whoever is killed when. Returns how many events it took.
 */
export async function dispatch(tools: DispatchTools): Promise<number> {
  const done = await asRoad(tools.pool, async ({ client }) => {
    const events = await readEvents(client, most)
    if (events.length === 0) return { count: 0, news: [] }
    const recipients = await readRecipients(client, events)
    const told = events.map((event) => ({ event, alert: alertOf(event, tools.placeNameAt) }))
    const news = await writeNotifications(client, told, recipients)
    for (const message of messagesOf(told, recipients, { now: tools.now(), publicUrl: tools.publicUrl }))
      await writeMessage(client, message, tools.now())
    await client.query('update alarm_events set taken_at = $2 where id = any($1::int8[])', [
      events.map(({ id }) => id),
      tools.now(),
    ])
    return { count: events.length, news }
  })
  for (const { companyId, userId, ...data } of done.news)
    tools.bus.publish({ companyId, kind: 'notification', userId, data: data satisfies LiveNotification })
  return done.count
}

const kinds = {
  opened: 'alarmOpened',
  unsnoozed: 'alarmOpened',
  normal: 'alarmNormal',
  reminder: 'alarmReminder',
  escalated: 'alarmEscalated',
  test: 'alarmTest',
} as const

type News = LiveNotification & { companyId: number; userId: string }

const notificationsSql = `
insert into notifications (company_id, user_id, kind, severity, device_id, alarm_id, trigger_id, params, at)
select * from jsonb_to_recordset($1::jsonb) as n (company_id int4, user_id int8, kind text, severity text, device_id int4,
  alarm_id int8, trigger_id int8, params jsonb, at timestamptz)
returning id, company_id as "companyId", user_id as "userId", severity`
const unreadSql = `
select company_id as "companyId", user_id as "userId", count(*)::int as unread from notifications
where read_at is null and (company_id, user_id) in (select * from unnest($1::int4[], $2::int8[])) group by 1, 2`

/** Everybody in the alarm's lists finds it in the notification centre, once, whatever other channels they have. */
async function writeNotifications(
  client: Client,
  told: readonly { event: WaitingEvent; alert: object }[],
  recipients: Parameters<typeof hearersOf>[1],
): Promise<News[]> {
  const lines = told.flatMap(({ event, alert }) => {
    const people = new Set(hearersOf(event, recipients).flatMap(({ userId }) => userId ?? []))
    return [...people].map((userId) => ({
      company_id: event.companyId,
      user_id: userId,
      kind: kinds[event.kind],
      severity: event.kind === 'normal' || event.kind === 'test' ? 'info' : event.severity,
      device_id: event.deviceId,
      alarm_id: event.alarmId,
      trigger_id: event.triggerId,
      params: alert,
      at: event.at,
    }))
  })
  if (lines.length === 0) return []
  const { rows } = await client.query<{
    id: string
    companyId: number
    userId: string
    severity: 'info' | 'warning' | 'critical'
  }>(notificationsSql, [JSON.stringify(lines)])
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

// A message of the last minute about the same device, or, of very many, the one that is held to gather the rest.
const recentSql = `
select id, state, reason, severity, (payload ->> 'deviceId')::int4 = $5 as "isSame" from deliveries
where company_id = $1 and channel = $2 and coalesce(user_id::text, address) = $3 and event = 'opened' and not is_test
  and state <> 'skipped' and created_at > $4::timestamptz - interval '1 minute'`
const insertSql = `
insert into deliveries (company_id, key, channel, event, alarm_id, user_id, address, locale, payload, severity, is_test, state,
  reason, units, next_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
on conflict (company_id, key) do nothing returning id`

/** Messages to one person by one channel within a minute, beyond which the rest is gathered. */
const mostAMinute = 5

interface Recent {
  id: string
  state: string
  reason: string | null
  severity: string
  isSame: boolean | null
}

async function writeMessage(client: Client, message: Message, now: Date): Promise<void> {
  if (message.event === 'opened' && message.state !== 'skipped') {
    const values = [
      message.companyId,
      message.channel,
      message.userId ?? message.address,
      now,
      message.payload.deviceId,
    ]
    const { rows: recent } = await client.query<Recent>(recentSql, values)
    const told = recent.find(
      ({ isSame, severity }) => isSame && (severity === 'critical' || message.severity === 'warning'),
    )
    if (told) return link(client, message, told.id)
    const gathering = recent.find(({ state, reason }) => state === 'held' && reason === 'storm')
    if (gathering) return gather(client, message, gathering.id)
    if (recent.length >= mostAMinute && message.state === 'queued')
      return insert(
        client,
        { ...message, state: 'held', reason: 'storm', holdUntil: new Date(now.getTime() + 60_000) },
        now,
      )
  }
  return insert(client, message, now)
}

async function insert(client: Client, message: Message, now: Date) {
  const { companyId, state, holdUntil } = message
  const { rows } = await client.query<{ id: string }>(insertSql, [
    companyId,
    message.key,
    message.channel,
    message.event,
    message.alarmId,
    message.userId,
    message.address,
    message.locale,
    JSON.stringify(message.payload),
    message.severity,
    message.isTest,
    state,
    message.reason,
    message.units,
    state === 'skipped' ? null : (holdUntil ?? now),
    now,
  ])
  const id = rows[0]?.id
  if (!id) return
  await link(client, message, id)
  if (message.units === 0 || state === 'skipped') return
  const isPaid = await reserveUnits(client, message, id, now)
  if (!isPaid)
    await client.query(
      `update deliveries set state = 'skipped', reason = 'walletEmpty', units = 0, next_at = null where company_id = $1 and id = $2`,
      [companyId, id],
    )
  await tellOfWallet(client, message, !isPaid, now)
}

async function link(client: Client, { companyId, triggerIds }: Message, id: string): Promise<void> {
  await client.query(
    `insert into delivery_triggers (company_id, delivery_id, trigger_id)
     select $1, $2, trigger_id from unnest($3::int8[]) as t (trigger_id) on conflict do nothing`,
    [companyId, id, triggerIds],
  )
}

/** Adds a message to one that is held: it will say of how many more devices there is something to tell. */
async function gather(client: Client, message: Message, id: string) {
  const devices = new Set(message.payload.alerts.map(({ device }) => device)).size + message.payload.more
  await client.query(
    `update deliveries set payload = jsonb_set(payload, '{more}', to_jsonb((payload ->> 'more')::int4 + $3::int4))
     where company_id = $1 and id = $2`,
    [message.companyId, id, devices],
  )
  await link(client, message, id)
}
