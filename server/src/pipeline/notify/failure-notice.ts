import type { FailureNotice } from '../../core/alerts/notice-texts.ts'
import type { News } from '../../core/alerts/notification-lines.ts'
import type { Client } from '../../platform/db/pool.ts'
import { tellAdmins } from './tell-admins.ts'

export interface FailedDelivery {
  companyId: number
  id: string
  reason: string
}

// The person who sent a test sees its failure; a failed notice causes no further notice.
const failedSql = `
select d.channel, coalesce(u.fullname, d.address) as "to", a.name as alarm, d.alarm_id as "alarmId",
  d.payload ->> 'triggerId' as "triggerId", (d.payload ->> 'deviceId')::int4 as "deviceId"
from deliveries d
left join alarms a on a.company_id = d.company_id and a.id = d.alarm_id
left join users u on u.company_id = d.company_id and u.id = d.user_id
where d.company_id = $1 and d.id = $2 and d.channel <> 'push' and not d.is_test and d.event not in ('deliveryFailed', 'wallet')`
const firstSql = `
insert into delivery_failure_notices (company_id, channel, day)
select company_id, $2, ($3::timestamptz at time zone timezone)::date from companies where company_id = $1
on conflict do nothing returning to_char(day, 'YYYY-MM-DD') as day`
interface Failed {
  channel: string
  to: string
  alarm: string | null
  alarmId: string | null
  triggerId: string | null
  deviceId: number | null
}

/**
 * Tells the Admins, in-app and by mail, that messages of a channel do not arrive: of the first that definitely fails on a
 * day of the company's zone. As pipeline, in the transaction that notes the failure.
 */
export async function tellOfFailure(client: Client, failed: FailedDelivery, now: Date): Promise<News[]> {
  const { companyId } = failed
  const [found] = (await client.query<Failed>(failedSql, [companyId, failed.id])).rows
  if (!found) return []
  const [first] = (await client.query<{ day: string }>(firstSql, [companyId, found.channel, now])).rows
  if (!first) return []
  const notice: FailureNotice = { channel: found.channel, to: found.to, alarm: found.alarm, reason: failed.reason }
  const { alarmId, triggerId, deviceId } = found
  const key = `deliveryFailed ${found.channel} ${first.day}`
  return tellAdmins(client, { companyId, kind: 'deliveryFailed', key, notice, alarmId, triggerId, deviceId }, now)
}
