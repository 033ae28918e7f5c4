import { Locale } from '@isotherm/contract/common.ts'
import type { Client, Pool } from '../../platform/db/pool.ts'
import { asRoad } from '../../platform/db/transaction.ts'
import type { Alert } from '../../platform/messaging/alert-texts.ts'
import type { FailureNotice } from '../../platform/messaging/notice-texts.ts'
import type { PushTarget } from '../../platform/messaging/web-push.ts'
import type { Line } from './lines.ts'
import type { Payload } from './messages.ts'
import { quietUntil } from './quiet-hours.ts'

interface Subscriber {
  companyId: number
  userId: string
  subscriptionId: string
  locale: string
  timezone: string
  quietFrom: string | null
  quietTo: string | null
}

const subscribersSql = `
select p.company_id as "companyId", p.user_id as "userId", p.id as "subscriptionId", u.locale, u.timezone,
  s.quiet_from as "quietFrom", s.quiet_to as "quietTo"
from push_subscriptions p
join notification_settings s on s.company_id = p.company_id and s.user_id = p.user_id and s.push
join users u on u.company_id = p.company_id and u.id = p.user_id and u.archived_at is null
where (p.company_id, p.user_id) in (select * from unnest($1::int4[], $2::int8[]))`
const insertSql = `
insert into deliveries (company_id, key, channel, event, alarm_id, user_id, address, locale, payload, severity, state, next_at, created_at)
select "companyId", key, 'push', event, "alarmId", "userId", address, locale, payload, severity, 'queued', $2, $2
from jsonb_to_recordset($1::jsonb) as m ("companyId" int4, key text, event text, "alarmId" int8, "userId" int8, address text,
  locale text, payload jsonb, severity text)
on conflict (company_id, key) do nothing`

/** A line as it was written. */
export type WrittenLine = Line & { id: string }

/** What is new in the notification centre goes to the browsers of those who want it: one push of all that comes at once. */
export async function writePushes(client: Client, lines: readonly WrittenLine[], now: Date): Promise<void> {
  const byPerson = Map.groupBy(lines, (line) => `${line.company_id} ${line.user_id}`)
  const people = [...byPerson.values()].flatMap(([first]) => first ?? [])
  const { rows } = await client.query<Subscriber>(subscribersSql, [
    people.map(({ company_id }) => company_id),
    people.map(({ user_id }) => user_id),
  ])
  const pushes = rows.flatMap((each) => pushOf(each, byPerson.get(`${each.companyId} ${each.userId}`) ?? [], now))
  if (pushes.length > 0) await client.query(insertSql, [JSON.stringify(pushes), now])
}

function pushOf(to: Subscriber, lines: readonly WrittenLine[], now: Date) {
  const line = lines.findLast(({ severity }) => severity === 'critical') ?? lines.at(-1)
  if (!line) return []
  // In quiet hours the line waits in the notification centre.
  if (line.severity !== 'critical' && quietUntil(to.quietFrom, to.quietTo, to.timezone, now)) return []
  const isNotice = line.kind === 'deliveryFailed'
  const payload: Payload = {
    alerts: isNotice ? [] : [line.params as Alert],
    more: lines.length - 1,
    deviceId: line.device_id,
    triggerId: line.trigger_id,
    timezone: to.timezone,
    ...(isNotice ? { notice: line.params as FailureNotice } : {}),
  }
  return [
    {
      companyId: to.companyId,
      key: `push ${line.id} ${to.subscriptionId}`,
      event: line.kind,
      alarmId: line.alarm_id,
      userId: to.userId,
      // The endpoint is a secret of that browser: it stays where it is kept.
      address: to.subscriptionId,
      locale: Locale.catch('en').parse(to.locale),
      payload,
      severity: line.severity,
    },
  ]
}

/** The browser of a subscription; undefined once it is gone. */
export const readPushTarget = (pool: Pool, companyId: number, id: string): Promise<PushTarget | undefined> =>
  asRoad(pool, async ({ client }) => {
    const sql = 'select endpoint, p256dh, auth from push_subscriptions where company_id = $1 and id = $2'
    return (await client.query<PushTarget>(sql, [companyId, id])).rows[0]
  })

export const forgetPushTarget = (pool: Pool, companyId: number, id: string): Promise<void> =>
  asRoad(pool, async ({ client }) => {
    await client.query('delete from push_subscriptions where company_id = $1 and id = $2', [companyId, id])
  })
