import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'
import type { WebhookEndpoints } from '../../platform/db/schema.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { vouchingAdminSql } from './event-queries.ts'

export interface EndpointRow {
  company_id: number
  id: string
  url: string
  description: string
  events: string[]
  sees_private: boolean
  /** The Admin who lets it hear of private things; null: it hears of none, or who let it is no Admin any more. */
  vouching_admin: { id: string; name: string } | null
  state: string
  reason: string | null
  state_since: Date
  failing_since: Date | null
  last_delivered_at: Date | null
  waiting: number
  old_secret_until: Date | null
  created_at: Date
  created_by_name: string
  version: number
}

const columns = sql`e.*, (select jsonb_build_object('id', w.id::text, 'name', w.fullname) from ${vouchingAdminSql}) as vouching_admin,
  (select count(*)::int from (select from webhook_deliveries d
    where d.company_id = e.company_id and d.endpoint_id = e.id and d.next_at is not null limit 10000) few) as waiting,
  (select max(s.expires_at) from webhook_secrets s where s.company_id = e.company_id and s.endpoint_id = e.id) as old_secret_until`
const from = ({ companyId }: TenantTx): RawBuilder<unknown> => sql`webhook_endpoints e
  where e.company_id = ${companyId} and e.archived_at is null`

export const endpointsOf = (ctx: TenantTx): Promise<EndpointRow[]> =>
  allRows<EndpointRow>(ctx.tx)`select ${columns} from ${from(ctx)} order by e.id`

/** Throws NOT_FOUND. */
export const findEndpoint = async (ctx: TenantTx, id: string): Promise<EndpointRow> =>
  orNotFound(await firstRow<EndpointRow>(ctx.tx)`select ${columns} from ${from(ctx)} and e.id = ${id}::int8`)

/** The same, locked until the transaction ends: its secrets are changed behind it. Throws NOT_FOUND. */
export const lockEndpoint = async (ctx: TenantTx, id: string): Promise<EndpointRow> =>
  orNotFound(
    await firstRow<EndpointRow>(
      ctx.tx,
    )`select ${columns} from ${from(ctx)} and e.id = ${id}::int8 for no key update of e`,
  )

/** The feed's row is locked: of two who add at once the second counts the first's. */
export async function countEndpoints({ tx, companyId }: TenantTx): Promise<number> {
  await sql`select from event_feeds where company_id = ${companyId} for no key update`.execute(tx)
  return countRows(tx)`select count(*)::int as n from webhook_endpoints
    where company_id = ${companyId} and archived_at is null`
}

export const insertEndpoint = async (
  { tx, companyId }: TenantTx,
  values: Omit<Insertable<WebhookEndpoints>, 'company_id'>,
): Promise<string> =>
  (
    await tx
      .insertInto('webhook_endpoints')
      .values({ ...values, company_id: companyId })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const updateEndpoint = ({ tx, companyId }: TenantTx, id: string, values: Updateable<WebhookEndpoints>) =>
  tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()

/** Messages that wait for an endpoint of events that it asks for no more are not sent; tests are. */
export const cancelUnwanted = ({ tx, companyId }: TenantTx, endpointId: string, events: readonly string[], now: Date) =>
  sql`
  update webhook_deliveries d set state = 'cancelled', next_at = null, ended_at = ${now} from company_events v
  where d.company_id = ${companyId} and d.endpoint_id = ${endpointId}::int8 and d.next_at is not null
    and v.company_id = d.company_id and v.id = d.event_id and v.endpoint_id is null and v.type <> all(${events}::text[])`.execute(
    tx,
  )

/** Nothing that waits for an endpoint is sent any more. */
export const cancelWaiting = ({ tx, companyId }: TenantTx, endpointId: string, now: Date) =>
  tx
    .updateTable('webhook_deliveries')
    .set({ state: 'cancelled', next_at: null, ended_at: now })
    .where('company_id', '=', companyId)
    .where('endpoint_id', '=', endpointId)
    .where('next_at', 'is not', null)
    .execute()
