import { isText } from '../../core/alarms/trigger-sql.ts'
import { lastsText } from '../../core/orders/warning-sql.ts'
import { reserveUnits, takeRefilled } from '../../core/wallet/wallet-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { DispatchTools } from './dispatch-tools.ts'
import { type Message, unitsOf } from './messages.ts'
import { isUnseenText } from './order-reading.ts'
import { firings } from './write-messages.ts'

/** For so long a message that found no units is still of use. */
const usefulMs = 3_600_000
/** So many of one wallet at once: after a storm the newest and the most severe go out. */
const maxSent = 200

type Unpaid = Pick<Message, 'channel' | 'payload' | 'locale' | 'weight' | 'alarmId'> & { id: string }

// A trigger of the message is still open, nobody has taken it up, and no other message told them of it since.
const isOfOpenTriggerText = `(d.event = any($4::text[])
  and exists (select from delivery_triggers x join alarm_triggers t on t.company_id = x.company_id and t.id = x.trigger_id
    join alarms a on a.company_id = t.company_id and a.id = t.alarm_id and a.archived_at is null
    where x.company_id = d.company_id and x.delivery_id = d.id and ${isText('open')} and (a.snoozed_until is null or a.snoozed_until <= $5))
  and not exists (select from delivery_triggers x
    join delivery_triggers y on y.company_id = x.company_id and y.trigger_id = x.trigger_id
    join deliveries n on n.company_id = y.company_id and n.id = y.delivery_id
    where x.company_id = d.company_id and x.delivery_id = d.id and n.id > d.id and n.channel = d.channel and n.address = d.address
      and n.user_id is not distinct from d.user_id and (n.state <> 'skipped' or n.reason = 'walletEmpty' and n.event = any($4::text[]))))`

// The same of news of an order: its warning lasts, nobody acknowledged it, and its reader may still view dispatch.
const isOfOpenWarningText = `(d.event in ('orderLate', 'orderOutOfRange') and not ${isUnseenText}
  and exists (select from order_warnings w where w.company_id = d.company_id
    and w.order_id = (d.payload -> 'notice' ->> 'orderId')::int8 and w.acknowledged_at is null and ${lastsText}
    and w.kind = case d.event when 'orderLate' then 'late' else 'outOfRange' end
    and w.device_id is not distinct from (d.payload ->> 'deviceId')::int4)
  and not exists (select from deliveries n where n.company_id = d.company_id and n.id > d.id and n.created_at > $3
    and n.event = d.event and n.channel = d.channel and n.address = d.address and n.user_id is not distinct from d.user_id
    and n.payload -> 'notice' ->> 'orderId' = d.payload -> 'notice' ->> 'orderId'
    and n.payload ->> 'deviceId' is not distinct from d.payload ->> 'deviceId' and (n.state <> 'skipped' or n.reason = 'walletEmpty')))`

// The newest message to somebody about each thing that is still wrong.
const unpaidSql = `
select d.id, d.channel, d.payload, d.locale, d.weight, d.alarm_id as "alarmId"
from deliveries d
where d.company_id = $1 and d.channel = $2 and d.state = 'skipped' and d.reason = 'walletEmpty' and not d.is_test
  and d.created_at > $3 and (${isOfOpenWarningText} or ${isOfOpenTriggerText})
  and (d.user_id is null or exists (select from users u where u.company_id = d.company_id and u.id = d.user_id and u.archived_at is null))
order by d.severity = 'critical' desc, d.id desc limit ${maxSent} for update of d`

// One that was held for quiet hours waits for their end.
const queueSql = `
update deliveries d set units = u.units, next_at = greatest(d.next_at, $3),
  state = case when d.next_at > $3 then 'held' else 'queued' end, reason = case when d.next_at > $3 then 'quietHours' end
from unnest($2::int8[], $4::int4[]) as u (id, units)
where d.company_id = $1 and d.id = u.id and d.state = 'skipped'`

/**
 * Sends what found no units, once some came in, where it is still of use: its trigger, or the warning of its order, is open, nobody has taken it
 * up, and the message is not older than an hour. Each wallet is looked at once for each time that units come in. Returns how many messages go out.
 */
export async function sendUnpaid(tools: DispatchTools): Promise<number> {
  let sent = 0
  for (let n: number | null = 0; n !== null; sent += n ?? 0) n = await sendOfOne(tools)
  return sent
}

/** Those of one wallet; null: there is no other one. */
const sendOfOne = ({ pool, now, publicUrl }: DispatchTools): Promise<number | null> =>
  asPipeline(pool, async ({ client }) => {
    const wallet = await takeRefilled(client)
    if (!wallet) return null
    const { companyId, channel } = wallet
    const since = new Date(now().getTime() - usefulMs)
    const { rows } = await client.query<Unpaid>(unpaidSql, [companyId, channel, since, [...firings], now()])
    const priced = rows.map((row) => ({ deliveryId: row.id, units: unitsOf(row, publicUrl), alarmId: row.alarmId }))
    if (priced.length === 0) return 0
    const unpaid = new Set((await reserveUnits(client, wallet, priced, now())).unpaid)
    const paid = priced.filter(({ deliveryId }) => !unpaid.has(deliveryId))
    const ids = paid.map(({ deliveryId }) => deliveryId)
    await client.query(queueSql, [companyId, ids, now(), paid.map(({ units }) => units)])
    return paid.length
  })
