import { sql } from 'kysely'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { hearsPrivateSql, isWantedSql, tellsOfPrivateSql } from './event-queries.ts'
import type { NumberedEvent } from './message.ts'
import { type SecretRow, secretsOf } from './secret-queries.ts'

/** An endpoint that has something to be sent. */
export interface DueEndpoint {
  companyId: number
  endpointId: string
  isFailing: boolean
  /** Its last answer was long in coming. */
  isSlow: boolean
  /** More than one message is due. */
  hasSeveral: boolean
}

/** Endpoints, as `company:endpoint`, and companies whose turns are all taken. */
interface Busy {
  endpoints: readonly string[]
  companies: readonly number[]
}

/**
 * Endpoints with messages that are due, but for those that are `busy`; failing and slow ones last, otherwise in no order, so that none always comes
 * first. As pipeline.
 */
export const dueEndpoints = (tx: Tx, now: Date, busy: Busy, atMost: number): Promise<DueEndpoint[]> =>
  allRows<DueEndpoint>(tx)`
    select e.company_id as "companyId", e.id as "endpointId", e.failing_since is not null as "isFailing", e.is_slow as "isSlow",
      due.messages > 1 as "hasSeveral"
    from webhook_endpoints e
    cross join lateral (select count(*) as messages from (select from webhook_deliveries d
      where d.company_id = e.company_id and d.endpoint_id = e.id and d.next_at <= ${now} limit 2) two) due
    where e.state = 'on' and e.archived_at is null and e.company_id || ':' || e.id <> all(${busy.endpoints}::text[])
      and e.company_id <> all(${busy.companies}::int4[]) and due.messages > 0
    order by e.failing_since is not null or e.is_slow, random() limit ${atMost}`

export interface TakenMessage extends NumberedEvent {
  companyId: number
  endpointId: string
  deliveryId: string
  url: string
  attempts: number
  /** Why it may not be sent as its endpoint stands now; null: it may. */
  unsent: 'hidden' | 'cancelled' | null
  secrets: SecretRow[]
}

/**
 * Takes one due message of an endpoint. It is sent by who took it: until `leaseUntil`, after which it is taken that its server was killed, and it is due
 * again with the same id. Undefined where none is due. An endpoint that asks for its event no more is sent it by hand only: the message may have been made in
 * the moment in which somebody unticked the event. As pipeline.
 */
export async function takeMessage(
  tx: Tx,
  { companyId, endpointId }: Pick<DueEndpoint, 'companyId' | 'endpointId'>,
  now: Date,
  leaseUntil: Date,
): Promise<TakenMessage | undefined> {
  const taking = firstRow<Omit<TakenMessage, 'secrets'>>(tx)`
    with taken as (
      update webhook_deliveries d set state = 'sending', next_at = ${leaseUntil}
      from (select w.company_id, w.id from webhook_deliveries w
        join webhook_endpoints e on e.company_id = w.company_id and e.id = w.endpoint_id and e.state = 'on' and e.archived_at is null
        where w.company_id = ${companyId} and w.endpoint_id = ${endpointId}::int8 and w.next_at <= ${now}
        order by w.next_at, w.id limit 1 for update of w skip locked) due
      where d.company_id = due.company_id and d.id = due.id returning d.*)
    select t.company_id as "companyId", t.endpoint_id as "endpointId", t.id as "deliveryId", e.url, t.attempts,
      v.message_id, v.type, v.data, v.sequence, v.at,
      case when not ${hearsPrivateSql} and ${tellsOfPrivateSql} then 'hidden' when not t.is_replay and not ${isWantedSql} then 'cancelled' end as unsent
    from taken t
    join company_events v on v.company_id = t.company_id and v.id = t.event_id
    join webhook_endpoints e on e.company_id = t.company_id and e.id = t.endpoint_id`
  // Sent together: one way to the database and back.
  const [taken, secrets] = await Promise.all([taking, secretsOf(tx, companyId, endpointId, now)])
  return taken && { ...taken, secrets }
}

/** How an attempt ended. */
export interface Attempt {
  at: Date
  tookMs: number
  status: number | null
  error: string | null
  answer: string | null
  /** Null where it was not signed. */
  stamp: number | null
  signature: string | null
}

/** The state of a message after an attempt: `nextAt` null ends it. */
export interface Outcome {
  state: 'waiting' | 'delivered' | 'failed' | 'hidden'
  nextAt: Date | null
}

/** Writes an attempt and what becomes of its message. One that was cancelled meanwhile stays so, but for its attempt. */
export const writeAttempt = (
  tx: Tx,
  { companyId, deliveryId }: Pick<TakenMessage, 'companyId' | 'deliveryId'>,
  { state, nextAt }: Outcome,
  attempt: Attempt,
) =>
  sql`
  with ended as (update webhook_deliveries set attempts = attempts + 1,
      state = case when next_at is null then state else ${state} end,
      next_at = case when next_at is null then null else ${nextAt}::timestamptz end,
      ended_at = case when next_at is null then ended_at when ${nextAt}::timestamptz is null then ${attempt.at}::timestamptz end
    where company_id = ${companyId} and id = ${deliveryId}::int8 returning company_id, id, attempts)
  insert into webhook_attempts (company_id, delivery_id, n, at, took_ms, status, error, answer, stamp, signature)
  select company_id, id, attempts, ${attempt.at}, ${attempt.tookMs}, ${attempt.status}, ${attempt.error}, ${attempt.answer},
    ${attempt.stamp}, ${attempt.signature} from ended`.execute(tx)

/** Ends a message that may not be sent any more, without an attempt. */
export const endUnsent = (tx: Tx, { companyId, deliveryId, unsent }: TakenMessage, now: Date) =>
  sql`
  update webhook_deliveries set state = ${unsent}, next_at = null, ended_at = ${now}
  where company_id = ${companyId} and id = ${deliveryId}::int8 and next_at is not null`.execute(tx)

export interface EndpointHealth {
  url: string
  state: string
  failingSince: Date | null
  /** Attempts that failed since then. */
  failures: number
  warnedAt: Date | null
}

/** An endpoint is slow from an answer on that took longer, until one took less: between the two it stays as it is, and its row unwritten. */
const slowMs = 1_000
const quickMs = 500

/**
 * An endpoint answered well: it fails no more. The time is kept to ten seconds, so that a busy endpoint's row is not written for every message. One that
 * got another address while the message was under way is left as it is.
 */
export function noteArrived(tx: Tx, { companyId, endpointId, url }: TakenMessage, tookMs: number, now: Date) {
  const told = tookMs > slowMs ? true : tookMs < quickMs ? false : null
  const isSlow = sql`coalesce(${told}::boolean, is_slow)`
  return sql`
  update webhook_endpoints set failing_since = null, failures = 0, warned_at = null, last_delivered_at = ${now}, is_slow = ${isSlow}
  where company_id = ${companyId} and id = ${endpointId}::int8 and url = ${url}
    and (is_slow <> ${isSlow} or failing_since is not null or last_delivered_at is null or last_delivered_at <= ${now}::timestamptz - interval '10 seconds')`.execute(
    tx,
  )
}

/** An endpoint did not answer well; how it stands, with its row locked. Undefined where it has another address meanwhile, or is not on. */
export const noteFailed = (
  tx: Tx,
  { companyId, endpointId, url }: TakenMessage,
  now: Date,
): Promise<EndpointHealth | undefined> =>
  firstRow<EndpointHealth>(tx)`
    update webhook_endpoints set failing_since = coalesce(failing_since, ${now}), failures = failures + 1
    where company_id = ${companyId} and id = ${endpointId}::int8 and url = ${url} and state = 'on' and archived_at is null
    returning url, state, failing_since as "failingSince", failures, warned_at as "warnedAt"`

export const noteWarned = (tx: Tx, { companyId, endpointId }: TakenMessage, now: Date) =>
  sql`
  update webhook_endpoints set warned_at = ${now} where company_id = ${companyId} and id = ${endpointId}::int8`.execute(
    tx,
  )

/** Switches an endpoint off for good, until somebody switches it on; what waits for it is cancelled. */
export const disableEndpoint = (
  tx: Tx,
  { companyId, endpointId }: TakenMessage,
  reason: 'gone' | 'failing',
  now: Date,
) =>
  sql`
  with off as (update webhook_endpoints set state = 'disabled', reason = ${reason}, state_since = ${now}, version = version + 1
    where company_id = ${companyId} and id = ${endpointId}::int8 returning company_id, id)
  update webhook_deliveries d set state = 'cancelled', next_at = null, ended_at = ${now} from off
  where d.company_id = off.company_id and d.endpoint_id = off.id and d.next_at is not null`.execute(tx)
