import { randomBytes } from 'node:crypto'
import { shipmentLinkLimits } from '@isotherm/contract/shipment-links.ts'
import type { Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'
import type { ShipmentDocuments, ShipmentLinks } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type LinkRow = Selectable<ShipmentLinks>

interface NewLink {
  shipmentId: string
  label: string
  locale: string | null
  showsDocuments: boolean
  now: Date
  expiresAt: Date
  byName: string
}

/** Adds a link with a hash that no token has; `giveToken` gives it its own. */
export const insertLink = ({ tx, companyId }: TenantTx, link: NewLink): Promise<LinkRow> =>
  tx
    .insertInto('shipment_links')
    .values({
      ...{ company_id: companyId, shipment_id: link.shipmentId, label: link.label, locale: link.locale },
      ...{ shows_documents: link.showsDocuments, token_hash: randomBytes(32), created_at: link.now },
      ...{ created_by_name: link.byName, expires_at: link.expiresAt },
    })
    .returningAll()
    .executeTakeFirstOrThrow()

const freshDays = `${shipmentLinkLimits.defaultDays} days`

/** Sets the token of a link in this generation of it; the token of an earlier one leads nowhere from now on. One that had expired works again. */
export const giveToken = (
  { tx, companyId }: TenantTx,
  { id, generation }: { id: string; generation: number },
  hash: Buffer,
  now: Date,
) =>
  firstRow<LinkRow>(tx)`
    update shipment_links set generation = ${generation}, token_hash = ${hash}, last_read_at = null,
      expires_at = case when expires_at > ${now} then expires_at else ${now}::timestamptz + ${freshDays}::interval end
    where company_id = ${companyId} and id = ${id}::int8 and revoked_at is null returning *`

/** The links of a shipment that were not revoked, newest first. */
export const linksOf = ({ tx, companyId }: TenantTx, shipmentId: string): Promise<LinkRow[]> =>
  allRows<LinkRow>(tx)`
    select * from shipment_links where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
      and revoked_at is null order by id desc`

export const countLinks = ({ tx, companyId }: TenantTx, shipmentId: string): Promise<number> =>
  countRows(tx)`select count(*)::int as n from shipment_links where company_id = ${companyId}
    and shipment_id = ${shipmentId}::int8 and revoked_at is null`

export const linkById = ({ tx, companyId }: TenantTx, id: string): Promise<LinkRow | undefined> =>
  firstRow<LinkRow>(tx)`
    select * from shipment_links where company_id = ${companyId} and id = ${id}::int8 and revoked_at is null`

/** Revokes a link for ever. False where somebody did meanwhile. */
export const endLink = async ({ tx, companyId }: TenantTx, id: string, now: Date): Promise<boolean> =>
  (await firstRow(tx)`
    update shipment_links set revoked_at = ${now}
    where company_id = ${companyId} and id = ${id}::int8 and revoked_at is null returning id`) !== undefined

export interface FoundLink {
  companyId: number
  id: string
  shipmentId: string
  showsDocuments: boolean
  locale: string | null
  /** Another text once anything has changed that its page shows, but for the passing of time. */
  stamp: string
}

/** The link of a token that is good, of a company whose subscription runs. As pipeline. */
export const findByToken = (tx: Tx, hash: Buffer, now: Date): Promise<FoundLink | undefined> =>
  firstRow<FoundLink>(tx)`
    select l.company_id as "companyId", l.id, l.shipment_id as "shipmentId", l.shows_documents as "showsDocuments", l.locale,
      md5(concat(o::text, c.name, l.shows_documents, g.fields, d.fields, e.last)) as stamp
    from shipment_links l
    join shipments o on o.company_id = l.company_id and o.id = l.shipment_id
    join companies c on c.company_id = l.company_id
    left join lateral (select string_agg(g::text, ';' order by g.id) as fields from shipment_legs g
      where g.company_id = l.company_id and g.shipment_id = l.shipment_id) g on true
    left join lateral (select string_agg(concat_ws(',', d.id, d.visibility, d.licence_until, n.received_at), ';' order by d.id) as fields
      from shipment_devices x join devices d on d.company_id = x.company_id and d.id = x.device_id
      left join device_latest n on n.company_id = d.company_id and n.device_id = d.id
      where x.company_id = l.company_id and x.shipment_id = l.shipment_id) d on true
    left join lateral (select max(e.id) as last from shipment_events e
      where e.company_id = l.company_id and e.shipment_id = l.shipment_id) e on true
    where l.token_hash = ${hash} and l.revoked_at is null and l.expires_at > ${now}
      and (c.subscription_until is null or c.subscription_until > ${now})`

/** Notes that somebody opened the page of a link. */
export const noteOpening = ({ tx, companyId }: TenantTx, id: string, now: Date) =>
  tx
    .updateTable('shipment_links')
    .set({ last_read_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()

/** The names of ports, by kind and code. */
export const portNames = async ({ tx }: TenantTx, codes: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await allRows<{ code: string; name: string }>(tx)`
    select code, name from ports where code = any(${codes}::text[])`
  return new Map(rows.map(({ code, name }) => [code, name]))
}

export type DocumentRow = Selectable<ShipmentDocuments>

/** The newest version of each document of a shipment that was not removed. */
export const documentsOf = ({ tx, companyId }: TenantTx, shipmentId: string): Promise<DocumentRow[]> =>
  allRows<DocumentRow>(tx)`
    select * from (
      select distinct on (document_no) * from shipment_documents
      where company_id = ${companyId} and shipment_id = ${shipmentId}::int8 order by document_no, version desc) newest
    where removed_at is null order by document_no`
