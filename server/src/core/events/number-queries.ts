import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** Companies with events that have no number yet. As pipeline. */
export const companiesToNumber = async (tx: Tx, atMost: number): Promise<number[]> =>
  (
    await allRows<{ company_id: number }>(tx)`
      select f.company_id from event_feeds f
      where exists (select from company_events v where v.company_id = f.company_id and v.sequence is null) limit ${atMost}`
  ).map(({ company_id }) => company_id)

/** The numbers that a company's events got, the first and the last. */
export interface NumberedSpan {
  companyId: number
  from: string
  to: string
}

/**
 * Numbers the events of companies in the order in which they were written. A feed's row is locked before any event is looked at: who numbers next begins
 * where this transaction ended, so a number is seen by nobody before all that are lower. As pipeline.
 */
export async function numberEvents(
  tx: Tx,
  companyIds: readonly number[],
  perCompany: number,
  now: Date,
): Promise<NumberedSpan[]> {
  const locked = await allRows<{ company_id: number }>(tx)`
    select company_id from event_feeds where company_id = any(${companyIds}::int4[]) order by company_id for no key update skip locked`
  if (locked.length === 0) return []
  return allRows<NumberedSpan>(tx)`
    with fresh as (
      select f.company_id, o.id, f.last_sequence + row_number() over (partition by f.company_id order by o.id) as sequence
      from event_feeds f cross join lateral (select v.id from company_events v
        where v.company_id = f.company_id and v.sequence is null order by v.id limit ${perCompany}) o
      where f.company_id = any(${locked.map(({ company_id }) => company_id)}::int4[])),
    numbered as (update company_events v set sequence = fresh.sequence, numbered_at = ${now} from fresh
      where v.company_id = fresh.company_id and v.id = fresh.id)
    update event_feeds f set last_sequence = n.last
    from (select company_id, min(sequence) as first, max(sequence) as last from fresh group by company_id) n
    where f.company_id = n.company_id
    returning f.company_id as "companyId", n.first::text as "from", n.last::text as "to"`
}

/** Deletes events that happened, and got their numbers, before a time, and their messages with them. As pipeline; returns how many. */
export async function deleteEventsBefore(tx: Tx, before: Date, atMost: number): Promise<number> {
  const row = await firstRow<{ n: number }>(tx)`
    with old as (select company_id, id from company_events where at < ${before} and sequence is not null
      and (numbered_at is null or numbered_at < ${before}) limit ${atMost}),
    gone as (delete from company_events v using old where v.company_id = old.company_id and v.id = old.id returning v.id)
    select count(*)::int as n from gone`
  return row?.n ?? 0
}

/** Feeds that nobody has read for long, of companies without an endpoint, are off: their companies. As pipeline. */
export const switchOffUnread = async (tx: Tx, unreadSince: Date): Promise<number[]> =>
  (
    await allRows<{ company_id: number }>(tx)`
      update event_feeds f set is_on = false where is_on and coalesce(read_at, since) < ${unreadSince}
        and not exists (select from webhook_endpoints e where e.company_id = f.company_id and e.archived_at is null)
      returning company_id`
  ).map(({ company_id }) => company_id)
