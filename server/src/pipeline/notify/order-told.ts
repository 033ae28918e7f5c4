import type { Client } from '../../platform/db/pool.ts'

/** A way by which somebody was told that a warning of an order was escalated. */
export interface ToldWay {
  companyId: number
  userId: string
  warningId: string
  /** `app`: it stands in their notification centre. */
  channel: string
  /** The browser, of a push. */
  address: string | null
}

const ofWarningText = (notice: string) =>
  `${notice} -> 'warningIds' ? w.id::text and (${notice} ->> 'escalatedMinutes')::int4 > 0`

// A message that was held and skipped since, or that still waits for the end of quiet hours, told nobody anything.
const waysSql = `
select w.company_id as "companyId", n.user_id as "userId", w.id as "warningId", 'app' as channel, null as address
from order_warnings w
join users u on u.company_id = w.company_id
join notifications n on n.company_id = u.company_id and n.user_id = u.id and n.at >= w.escalated_at
  and n.kind in ('orderLate', 'orderOutOfRange') and ${ofWarningText('n.params')}
where w.id = any($1::int8[])
union
select w.company_id, d.user_id, w.id, d.channel, d.address
from order_warnings w
join deliveries d on d.company_id = w.company_id and d.created_at >= w.escalated_at and d.user_id is not null
  and d.event in ('orderLate', 'orderOutOfRange') and ${ofWarningText("(d.payload -> 'notice')")}
  and d.state not in ('held', 'skipped') and d.reason is distinct from 'quietHours'
where w.id = any($1::int8[])`

/** The people who were told that warnings were escalated, and by which ways. As pipeline. */
export const readTold = async (client: Client, warningIds: readonly string[]): Promise<ToldWay[]> =>
  warningIds.length === 0 ? [] : (await client.query<ToldWay>(waysSql, [warningIds])).rows
