import type { DeliveryQuery } from '@isotherm/contract/webhooks.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow, pageOfRows } from '../../platform/db/rows.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import type { NumberedEvent } from './message.ts'

export interface DeliveryRow {
  id: string
  event_id: string
  message_id: string
  endpoint_id: string
  url: string
  type: string
  state: string
  attempts: number
  status: number | null
  next_at: Date | null
  created_at: Date
  ended_at: Date | null
  is_replay: boolean
}
export type DeliveryDetailRow = DeliveryRow & Pick<NumberedEvent, 'data' | 'sequence' | 'at'>

export interface AttemptRow {
  n: number
  at: Date
  took_ms: number
  status: number | null
  error: string | null
  answer: string | null
  stamp: string | null
  signature: string | null
}

const columns = sql`d.id, d.event_id, v.message_id, d.endpoint_id, e.url, v.type, d.state, d.attempts, d.next_at, d.created_at, d.ended_at,
  d.is_replay, (select a.status from webhook_attempts a where a.company_id = d.company_id and a.delivery_id = d.id
    order by a.n desc limit 1) as status`
const from = ({ companyId }: TenantTx): RawBuilder<unknown> => sql`webhook_deliveries d
  join company_events v on v.company_id = d.company_id and v.id = d.event_id
  join webhook_endpoints e on e.company_id = d.company_id and e.id = d.endpoint_id
  where d.company_id = ${companyId}`

export function pageOfDeliveries(ctx: TenantTx, query: z.output<typeof DeliveryQuery>) {
  const { endpointId, type, state } = query
  const conditions = sql.join(
    [
      endpointId === undefined ? sql`true` : sql`d.endpoint_id = ${endpointId}::int8`,
      type === undefined ? sql`true` : sql`v.type = ${type}`,
      state === undefined ? sql`true` : sql`d.state = ${state}`,
    ],
    sql` and `,
  )
  return pageOfRows<DeliveryRow>(ctx.tx, query, {
    ...{ columns, from: sql`${from(ctx)} and ${conditions}`, order: sql`d.id desc` },
  })
}

/** Throws NOT_FOUND. */
export const findDelivery = async (ctx: TenantTx, id: string): Promise<DeliveryDetailRow> =>
  orNotFound(
    await firstRow<DeliveryDetailRow>(ctx.tx)`
      select ${columns}, v.data, v.sequence, v.at from ${from(ctx)} and d.id = ${id}::int8`,
  )

export const attemptsOf = ({ tx, companyId }: TenantTx, deliveryId: string): Promise<AttemptRow[]> =>
  allRows<AttemptRow>(tx)`select n, at, took_ms, status, error, answer, stamp, signature from webhook_attempts
    where company_id = ${companyId} and delivery_id = ${deliveryId}::int8 order by n`

/** Has an event sent to an endpoint again; the id of the new message. */
export const insertReplay = async (
  { tx, companyId }: TenantTx,
  { eventId, endpointId }: { eventId: string; endpointId: string },
  now: Date,
): Promise<string> =>
  (
    await tx
      .insertInto('webhook_deliveries')
      .values({
        ...{ company_id: companyId, event_id: eventId, endpoint_id: endpointId, state: 'waiting' },
        ...{ is_replay: true, next_at: now, created_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** Whether messages that are sent again still wait for an endpoint. */
export const isReplaying = async ({ tx, companyId }: TenantTx, endpointId: string): Promise<boolean> =>
  (await firstRow(tx)`select from webhook_deliveries
    where company_id = ${companyId} and endpoint_id = ${endpointId}::int8 and next_at is not null and is_replay limit 1`) !==
  undefined

interface ReplayOf {
  /** The events, over `v`, of which a locked endpoint gets a message again. */
  which: RawBuilder<boolean>
  atMost: number
  now: Date
}

/** Has many events sent again, the oldest first; how many there are, one more than `atMost` where there are more. */
export async function insertReplays(
  { tx, companyId }: TenantTx,
  endpointId: string,
  { which, atMost, now }: ReplayOf,
): Promise<number> {
  const row = await firstRow<{ n: number }>(tx)`
    with chosen as (
      select v.id, row_number() over (order by v.sequence) as place from company_events v
      where v.company_id = ${companyId} and v.sequence is not null and ${which} order by v.sequence limit ${atMost + 1}),
    made as (insert into webhook_deliveries (company_id, event_id, endpoint_id, state, is_replay, next_at, created_at)
      select ${companyId}, id, ${endpointId}::int8, 'waiting', true, ${now}, ${now} from chosen where place <= ${atMost} order by place)
    select count(*)::int as n from chosen`
  return row?.n ?? 0
}

/** Events whose last message to an endpoint failed or was cancelled, of those that it asks for now, and tests. */
export const failedSql = (endpointId: string, types: readonly string[]): RawBuilder<boolean> => sql<boolean>`
  (v.type = any(${types}::text[]) or v.endpoint_id is not null) and (
  select d.state from webhook_deliveries d where d.company_id = v.company_id and d.event_id = v.id and d.endpoint_id = ${endpointId}::int8
  order by d.id desc limit 1) in ('failed', 'cancelled')`

/** Events of a period that an endpoint is told of, as it is now; tests are not sent again. */
export const ofPeriodSql = (types: readonly string[], from: Date, to: Date): RawBuilder<boolean> => sql<boolean>`
  v.at >= ${from} and v.at < ${to} and v.type = any(${types}::text[]) and v.endpoint_id is null`
