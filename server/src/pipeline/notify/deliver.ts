import type { Locale } from '@isotherm/contract/common.ts'
import { isText } from '../../core/alarms/trigger-sql.ts'
import { announce } from '../../core/alerts/notification-lines.ts'
import { vouches } from '../../core/visibility/visibility.ts'
import { returnUnits, settleUnits } from '../../core/wallet/wallet-queries.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { firstWaits, waitsOfADay } from '../../platform/jobs/retries.ts'
import type { Log } from '../../platform/log/log.ts'
import { tellOfFailure } from './failure-notice.ts'
import type { CountMessage } from './measure.ts'
import type { OutwardChannel, Payload } from './messages.ts'
import { isOfEndedText, isUnseenText } from './order-reading.ts'
import { withPresentValues } from './present-values.ts'

/** A message as the table has it. */
export interface OutboundMessage {
  id: string
  companyId: number
  key: string
  channel: OutwardChannel
  event: string
  alarmId: string | null
  /** Null for a raw address. */
  userId: string | null
  address: string
  locale: Locale
  payload: Payload
  units: number
  severity: string
  attempts: number
}

/** The result of an attempt. A definite failure is not tried again; anything thrown is. */
export type Sent = { ok: true; provider: string; providerId: string | null } | { ok: false; reason: string }

export interface Sender {
  send(delivery: OutboundMessage): Promise<Sent>
}

export interface DeliverTools {
  pool: Pool
  bus: Bus
  publicUrl: string
  log: Log
  now(): Date
  count?: CountMessage
  senders: Record<OutwardChannel, Sender>
}

export const outwardChannels = ['mail', 'sms', 'chat', 'webhook', 'push'] as const satisfies OutwardChannel[]
/** Messages under way at once, of a channel. */
export const maxConcurrentSends = 10
// After the last pause it has failed. A try that was cut off by a kill is not counted. A push of yesterday tells nobody anything.
const waitsOf = (channel: OutwardChannel): readonly number[] => (channel === 'push' ? firstWaits : waitsOfADay)

const lastsSql = `
select from delivery_triggers x join alarm_triggers t on t.company_id = x.company_id and t.id = x.trigger_id
where x.company_id = d.company_id and x.delivery_id = d.id and ${isText('lasting')}`
// Send "back to normal" only to recipients who received the alarm itself.
const heardOfAlarmSql = `
select from delivery_triggers x join delivery_triggers y on y.company_id = x.company_id and y.trigger_id = x.trigger_id
join deliveries o on o.company_id = y.company_id and o.id = y.delivery_id
where x.company_id = d.company_id and x.delivery_id = d.id and o.channel = d.channel
  and o.user_id = d.user_id and (o.channel <> 'push' or o.address = d.address)
  and o.event not in ('normal', 'withdrawn') and o.state not in ('held', 'skipped') and o.reason is distinct from 'quietHours'`
// Decides whether the recipient may hear of private things now, and which parts of the message are private now: alarm and devices.
const maySeePrivateSql = `case when d.user_id is not null
  then exists (select from users u where u.company_id = d.company_id and u.id = d.user_id and u.role = 'admin')
  else exists (select from alarm_recipients r join users v on v.company_id = r.company_id and v.id = r.named_by
    where r.company_id = d.company_id and r.alarm_id = d.alarm_id and r.address = d.address and ${vouches('v')}) end`
const privateAlarmSql = `exists (select from alarms a where a.company_id = d.company_id and a.id = d.alarm_id and a.visibility = 'private')`
const privateDevicesSql = `select array_agg(p.id) from devices p where p.company_id = d.company_id and p.visibility = 'private'
  and (p.id = (d.payload ->> 'deviceId')::int4 or coalesce(d.payload -> 'deviceIds', '[]') @> to_jsonb(p.id)
    or not d.payload ? 'deviceIds' and p.id in (select t.device_id from delivery_triggers x
      join alarm_triggers t on t.company_id = x.company_id and t.id = x.trigger_id
      where x.company_id = d.company_id and x.delivery_id = d.id))`
// A message that a killed server was sending is taken again after a minute: its key lets the provider detect the repetition.
const takeSql = `
update deliveries d set state = 'sending', next_at = $1::timestamptz + interval '1 minute'
from (select company_id, id from deliveries where state in ('queued', 'held', 'sending') and next_at <= $1
  and channel = $3 and company_id <> all($4::int4[])
  order by next_at limit $2 for update skip locked) due
where d.company_id = due.company_id and d.id = due.id
returning d.id, d.company_id as "companyId", d.key, d.channel, d.event, d.alarm_id as "alarmId", d.user_id as "userId", d.address, d.locale, d.payload, d.units, d.severity,
  d.attempts, d.reason = 'quietHours' and d.event <> 'crossed' and case
    when d.payload -> 'notice' ? 'orderId' then ${isOfEndedText}
    when d.event in ('normal', 'withdrawn') then not exists (${heardOfAlarmSql}) else not exists (${lastsSql}) end as "isOver",
  ${isUnseenText} as "isUnseen", d.channel <> 'webhook' and d.created_at < $1::timestamptz - interval '5 minutes' as "hasWaited",
  not ${maySeePrivateSql} as "isTeam", ${privateAlarmSql} as "isPrivate", (${privateDevicesSql}) as "privateIds"`

export type Due = OutboundMessage & {
  isOver: boolean | null
  /** It waited, so that its values are former ones; a webhook keeps those of its event. */
  hasWaited: boolean
  /** It is about an order that its reader may not view any more. */
  isUnseen: boolean
  /** The recipient may hear of nothing private. */
  isTeam: boolean
  /** Its alarm is private by now; the devices it tells of that are. */
  isPrivate: boolean
  privateIds: number[] | null
}

/** Takes up to `maxTaken` messages of a channel that are due, of other companies than `without`; whoever takes them sends them. */
export const takeDue = (
  tools: DeliverTools,
  channel: OutwardChannel,
  maxTaken: number,
  without: readonly number[] = [],
): Promise<Due[]> =>
  asPipeline(tools.pool, async ({ client }) => {
    // By name, as all that a notifier asks each time it is woken: to plan it takes far longer than to run it.
    const values = [tools.now(), maxTaken, channel, without]
    return (await client.query<Due>({ name: 'take_due_messages', text: takeSql, values })).rows
  })

/** Sends a message that was taken; what is over by now is skipped, and what became private to whom it is for. */
export async function sendTaken(tools: DeliverTools, each: Due): Promise<void> {
  if (each.isOver) return end(tools, each, 'skipped', 'overMeanwhile')
  if (each.isUnseen) return end(tools, each, 'skipped', 'unseen')
  const payload = shownOf(each)
  if (!payload) return end(tools, each, 'skipped', 'private')
  const shown = { ...each, payload }
  return attempt(tools, each.hasWaited ? await withPresentValues(tools, shown) : shown)
}

/** The part of a message that its reader may see now; null: nothing. */
function shownOf({ isTeam, isPrivate, privateIds, payload }: Due): Payload | null {
  if (!isTeam || (!isPrivate && !privateIds)) return payload
  const hidden = new Set(privateIds)
  const shown = (payload.deviceIds ?? []).flatMap((id, index) => (id === null || !hidden.has(id) ? [index] : []))
  const alerts = shown.flatMap((index) => payload.alerts[index] ?? [])
  if (isPrivate || alerts.length === 0) return null
  // Its link leads to the first device, or trigger.
  const first = payload.deviceId !== null && hidden.has(payload.deviceId) ? { deviceId: null, triggerId: null } : {}
  return { ...payload, ...first, alerts, deviceIds: shown.map((index) => payload.deviceIds?.[index] ?? null) }
}

/** Sends what is due, some at once; returns how many it took. */
export async function deliver(tools: DeliverTools): Promise<number> {
  const due = (await Promise.all(outwardChannels.map((channel) => takeDue(tools, channel, maxConcurrentSends)))).flat()
  await Promise.all(due.map((each) => sendTaken(tools, each)))
  return due.length
}

async function attempt(tools: DeliverTools, delivery: OutboundMessage): Promise<void> {
  try {
    const sent = await tools.senders[delivery.channel].send(delivery)
    if (!sent.ok) return await end(tools, delivery, 'failed', sent.reason)
    await asPipeline(tools.pool, async ({ client }) => {
      await client.query(
        `update deliveries set state = 'accepted', reason = null, accepted_at = $3, next_at = null, provider = $4, provider_id = $5
         where company_id = $1 and id = $2 and state = 'sending'`,
        [delivery.companyId, delivery.id, tools.now(), sent.provider, sent.providerId],
      )
      await settleUnits(client, delivery, delivery.id, tools.now())
    })
    tools.count?.(delivery.channel, 'accepted')
  } catch (error) {
    tools.log.warn({ err: error, channel: delivery.channel, delivery: delivery.id }, 'a message could not be sent yet')
    const wait = waitsOf(delivery.channel)[delivery.attempts]
    if (wait !== undefined) return again(tools, delivery, wait)
    tools.log.error({ err: error, channel: delivery.channel, delivery: delivery.id }, 'a message was given up')
    return end(tools, delivery, 'failed', 'failed')
  }
}

/** Has it tried later. The Admins hear of one that nobody took for an hour: there may be other ways to tell. */
async function again(tools: DeliverTools, delivery: OutboundMessage, wait: number): Promise<void> {
  const now = tools.now()
  const next = new Date(now.getTime() + wait * 60_000)
  const news = await asPipeline(tools.pool, async ({ client }) => {
    const { rowCount } = await client.query(
      `update deliveries set state = 'queued', attempts = attempts + 1, next_at = $3 where company_id = $1 and id = $2 and state = 'sending'`,
      [delivery.companyId, delivery.id, next],
    )
    const isLate = rowCount && delivery.attempts === firstWaits.length
    return isLate ? tellOfFailure(client, { ...delivery, reason: 'late' }, now) : []
  })
  tools.count?.(delivery.channel, 'again')
  announce(tools.bus, news)
}

async function end(tools: DeliverTools, delivery: OutboundMessage, state: 'failed' | 'skipped', reason: string) {
  const now = tools.now()
  const news = await asPipeline(tools.pool, async ({ client }) => {
    // Another try may have ended it meanwhile, where this one took more than a minute.
    const { rowCount } = await client.query(
      `update deliveries set state = $3, reason = $4, next_at = null, failed_at = case when $3 = 'failed' then $5::timestamptz end
       where company_id = $1 and id = $2 and state = 'sending'`,
      [delivery.companyId, delivery.id, state, reason.slice(0, 300), now],
    )
    if (!rowCount) return null
    await returnUnits(client, delivery, delivery.id, now)
    return state === 'failed' ? tellOfFailure(client, { ...delivery, reason: reason.slice(0, 300) }, now) : []
  })
  if (!news) return
  tools.count?.(delivery.channel, state)
  announce(tools.bus, news)
}
