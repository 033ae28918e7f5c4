import { randomBytes } from 'node:crypto'
import { orderLinkLimits } from '@isotherm/contract/order-links.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { OrderLinks } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type LinkRow = Selectable<OrderLinks>
export type LinkKind = 'driver' | 'receiver'

/** The person whom a link is for: a receiver of the order, or its driver. */
export type LinkOf = { orderId: string } & ({ receiverId: string } | { driverId: string })

const ofSql = (of: LinkOf): RawBuilder<unknown> =>
  'receiverId' in of
    ? sql`order_id = ${of.orderId}::int8 and receiver_id = ${of.receiverId}::int8`
    : sql`order_id = ${of.orderId}::int8 and driver_id = ${of.driverId}::int8`

/** The link of a receiver or driver that was not revoked, if there is one. */
export const linkOf = ({ tx, companyId }: TenantTx, of: LinkOf): Promise<LinkRow | undefined> =>
  firstRow<LinkRow>(tx)`
    select * from order_links where company_id = ${companyId} and ${ofSql(of)} and revoked_at is null`

const dayMs = 86_400_000
const lastDay = (now: Date) => new Date(now.getTime() + orderLinkLimits.days * dayMs)

/** Adds a link with a hash that no token has; `giveToken` gives it its own. */
export async function insertLink({ tx, companyId }: TenantTx, of: LinkOf, now: Date): Promise<LinkRow> {
  const [receiverId, driverId] = 'receiverId' in of ? [of.receiverId, null] : [null, of.driverId]
  return tx
    .insertInto('order_links')
    .values({
      ...{ company_id: companyId, order_id: of.orderId, kind: receiverId ? 'receiver' : 'driver' },
      ...{ receiver_id: receiverId, driver_id: driverId, token_hash: randomBytes(32) },
      ...{ created_at: now, expires_at: lastDay(now) },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Sets the token of a link in this generation of it; the token of an earlier one leads nowhere from now on. */
export const giveToken = (
  { tx, companyId }: TenantTx,
  link: { id: string; generation: number },
  tokenHash: Buffer,
  now: Date,
): Promise<LinkRow> =>
  tx
    .updateTable('order_links')
    .set({ generation: link.generation, token_hash: tokenHash, created_at: now, expires_at: lastDay(now) })
    .where('company_id', '=', companyId)
    .where('id', '=', link.id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Revokes a link for ever. False where there is none. */
export async function revokeLink({ tx, companyId }: TenantTx, of: LinkOf, now: Date): Promise<boolean> {
  const revoked = await firstRow(tx)`
    update order_links set revoked_at = ${now} where company_id = ${companyId} and ${ofSql(of)} and revoked_at is null
    returning id`
  return revoked !== undefined
}

/** The instant at which a link `l` ends: some time after nothing is left to do, or after a hand-over became void and is asked for again. */
const endsAtSql = sql<Date>`least(l.expires_at, ${sql.lit(orderLinkLimits.hoursAfter)} * interval '1 hour' + case
  when l.kind = 'driver' then (select coalesce(o.ended_at, o.cancelled_at) from orders o
    where o.company_id = l.company_id and o.id = l.order_id)
  else (select greatest(r.settled_at, (select max(h.void_at) from handovers h
    where h.company_id = r.company_id and h.receiver_id = r.id and r.settled_at is not null))
    from order_receivers r where r.company_id = l.company_id and r.id = l.receiver_id) end)`

/** When the link of a receiver or driver ends. */
export const endOfLink = async ({ tx, companyId }: TenantTx, id: string): Promise<Date | undefined> =>
  (
    await firstRow<{ at: Date }>(tx)`
    select ${endsAtSql} as at from order_links l where l.company_id = ${companyId} and l.id = ${id}::int8`
  )?.at

export interface FoundLink {
  companyId: number
  id: string
  kind: LinkKind
  orderId: string
  receiverId: string | null
  driverId: string | null
  /** Another text once anything has changed that its page shows, but for the passing of time and what its devices tell. */
  stamp: string
  /** Another text once other readings, or other devices, speak for the conditions. */
  bound: string
  /** Another text once a device has told anything. */
  told: string
}

/**
 * The link of a token that is good, of a company whose subscription runs; that of a driver only while they drive the order. As pipeline.
 */
export const findByToken = (tx: Tx, tokenHash: Buffer, now: Date): Promise<FoundLink | undefined> =>
  firstRow<FoundLink>(tx)`
    select l.company_id as "companyId", l.id, l.kind, l.order_id as "orderId", l.receiver_id as "receiverId",
      l.driver_id as "driverId", md5(concat(o::text, c.name, d.fields, r.fields, h.fields)) as stamp,
      md5(concat_ws(';', o.started_at, o.ended_at, o.cancelled_at, o.shows_private, o.record_id, d.fields, h.fields,
        (select q.settled_at from order_receivers q where q.company_id = l.company_id and q.id = l.receiver_id))) as bound,
      coalesce(d.told, '') as told
    from order_links l
    join orders o on o.company_id = l.company_id and o.id = l.order_id
    join companies c on c.company_id = l.company_id
    left join lateral (select string_agg(concat_ws(',', d.id, x.role, x.receiver_id, d.visibility, d.licence_until), ';' order by d.id) as fields,
        string_agg(concat_ws(',', d.id, n.measured_at, n.received_at), ';' order by d.id) as told
      from order_devices x join devices d on d.company_id = x.company_id and d.id = x.device_id
      left join device_latest n on n.company_id = d.company_id and n.device_id = d.id
      where x.company_id = l.company_id and x.order_id = l.order_id) d on true
    left join lateral (select string_agg(r::text, ';' order by r.id) as fields from order_receivers r
      where r.company_id = l.company_id and r.order_id = l.order_id) r on true
    left join lateral (select string_agg(concat_ws(',', h.id, h.void_at), ';' order by h.id) as fields from handovers h
      where h.company_id = l.company_id and h.order_id = l.order_id) h on true
    where l.token_hash = ${tokenHash} and l.revoked_at is null and (l.driver_id is null or l.driver_id = o.driver_id)
      and coalesce(${endsAtSql} > ${now}, false) and (c.subscription_until is null or c.subscription_until > ${now})`

/** Whether a link that was found still has this token, while its order is locked. */
export const isStillGood = async ({ tx, companyId }: TenantTx, { id }: FoundLink, hash: Buffer): Promise<boolean> =>
  (await firstRow(tx)`select from order_links where company_id = ${companyId} and id = ${id}::int8
    and token_hash = ${hash} and revoked_at is null`) !== undefined

/** Notes that somebody opened the page of a link. */
export const noteOpening = ({ tx, companyId }: TenantTx, id: string, now: Date) =>
  tx
    .updateTable('order_links')
    .set({ last_read_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
