import { type RawBuilder, sql } from 'kysely'
import type { NumberedSpan } from '../../core/events/number-queries.ts'
import { vouchesSql } from '../../core/visibility/visibility.ts'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { NumberedEvent } from './message.ts'

/** Whether an event `v` tells of something that is private now: a device, an alarm or a group. */
export const tellsOfPrivateSql: RawBuilder<boolean> = sql<boolean>`(
  exists (select from devices p where p.company_id = v.company_id and p.id = any(v.device_ids) and p.visibility = 'private')
  or exists (select from alarms p where p.company_id = v.company_id and p.id = v.alarm_id and p.visibility = 'private')
  or exists (select from groups p where p.company_id = v.company_id and p.id = v.group_id and p.visibility = 'private'))`

/** The Admin who lets an endpoint `e` hear of private things, as a row `w` of users while they vouch for it. */
export const vouchingAdminSql: RawBuilder<unknown> = sql`users w
  where e.sees_private and w.company_id = e.company_id and w.id = e.private_by and ${vouchesSql('w')}`

/** Whether an endpoint `e` hears of private things now. */
export const hearsPrivateSql: RawBuilder<boolean> = sql<boolean>`exists (select from ${vouchingAdminSql})`

/** Whether an endpoint `e` is told of an event `v`: a test is one endpoint's, whatever that asks for. */
export const isWantedSql: RawBuilder<boolean> = sql<boolean>`coalesce(v.endpoint_id = e.id, v.type = any(e.events))`

/** How many numbers one call of the feed looks through: what it costs does not depend on what is asked for. */
const maxLookedThrough = 5_000

interface FeedWindow {
  types: readonly string[]
  /** The number after which it begins. */
  after: string
  limit: number
  seesPrivate: boolean
}

interface FeedPage {
  rows: NumberedEvent[]
  /** The number up to which everything was looked at. */
  upTo: string
  /** The last number there is. */
  last: string
  /** Numbers that this page begins after are of events that are kept no more. */
  beginsLate: boolean
  /** Some of the page's numbers are of no event that is kept. */
  hasGap: boolean
}

type FeedAnswer = Omit<FeedPage, 'rows'> & { rows: NumberedEvent[] | null }

/**
 * Events by their numbers. The last number and the rows are of one snapshot: numbers are given one transaction after another, so no event with a
 * number up to the last one can still come.
 */
export async function feedPage({ tx, companyId }: TenantTx, window: FeedWindow): Promise<FeedPage> {
  const { types, after, limit, seesPrivate } = window
  const row = await firstRow<FeedAnswer>(tx)`
    with feed as (
      select f.last_sequence as last, (select min(o.sequence) from company_events o where o.company_id = f.company_id) as oldest
      from event_feeds f where f.company_id = ${companyId}),
    start as (select last, greatest(${after}::int8, coalesce(oldest - 1, last)) as "from" from feed),
    span as (select last, "from", least(last, "from" + ${maxLookedThrough}) as "end" from start),
    page as materialized (
      select v.message_id, v.type, v.data, v.sequence, v.at from span, company_events v
      where v.company_id = ${companyId} and v.sequence > span."from" and v.sequence <= span."end"
        and v.type = any(${types}::text[]) and v.endpoint_id is null and (${seesPrivate} or not ${tellsOfPrivateSql})
      order by v.sequence limit ${limit}),
    reach as (select span.*, case when (select count(*) from page) = ${limit} then (select max(sequence) from page) else "end" end as "upTo" from span)
    select last::text, "upTo"::text, "from" > ${after}::int8 as "beginsLate",
      (select count(*) from company_events v where v.company_id = ${companyId} and v.sequence > "from" and v.sequence <= "upTo") < "upTo" - "from"
        as "hasGap",
      (select json_agg(json_build_object('message_id', message_id, 'type', type, 'data', data, 'sequence', sequence::text, 'at', at) order by sequence)
        from page) as rows
    from reach`
  if (!row) return { rows: [], upTo: after, last: after, beginsLate: false, hasGap: false }
  return { ...row, rows: (row.rows ?? []).map((event) => ({ ...event, at: new Date(event.at) })) }
}

/** Makes a message of each event that was numbered just now for every endpoint that asks for it. As pipeline, in the transaction that numbered them. */
export const makeMessages = (tx: Tx, spans: readonly NumberedSpan[], now: Date) =>
  sql`
  insert into webhook_deliveries (company_id, event_id, endpoint_id, state, next_at, created_at)
  select v.company_id, v.id, e.id, 'waiting', ${now}, ${now}
  from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) as s ("companyId" int4, "from" int8, "to" int8)
  join company_events v on v.company_id = s."companyId" and v.sequence between s."from" and s."to"
  join webhook_endpoints e on e.company_id = v.company_id and e.state = 'on' and e.archived_at is null
  where ${isWantedSql} and (v.endpoint_id = e.id or ${hearsPrivateSql} or not ${tellsOfPrivateSql})
  order by v.company_id, v.sequence`.execute(tx)
