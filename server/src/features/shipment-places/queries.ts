import type { ShipmentPlaceFilter, ShipmentPlaceQuery } from '@isotherm/contract/shipment-places.ts'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { Context, TenantTx } from '../../platform/context.ts'
import { locksOfCompany } from '../../platform/db/advisory-locks.ts'
import { allRows, countRows, firstRow, orderOf, pageOfRows } from '../../platform/db/rows.ts'
import type { ShipmentPlaces } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { foldName } from '../../platform/gazetteer/fold-name.ts'
import { maxRows } from '../../platform/http/list-csv.ts'

export type PlaceKind = 'origin' | 'destination'

interface PortOfRow {
  kind: string
  code: string
  name: string
  country: string
  is_closed: boolean
}
export interface PlaceRow extends Selectable<ShipmentPlaces> {
  ports: PortOfRow[]
  open_shipments: number
}
type OwnColumn = 'company_id' | 'id' | 'kind' | 'version' | 'created_at' | 'updated_at'
/** The columns that verbs fill. */
export type PlaceValues = Omit<Updateable<ShipmentPlaces>, OwnColumn>
export type NewPlaceValues = Omit<Insertable<ShipmentPlaces>, OwnColumn>
type Filters = z.output<typeof ShipmentPlaceFilter>

const openSql = (kind: PlaceKind) => sql`(select count(*)::int from shipments s
  where s.company_id = p.company_id and s.${sql.ref(`${kind}_id`)} = p.id and s.state in ('pending', 'ongoing'))`
const details = (kind: PlaceKind) => sql`${openSql(kind)} as open_shipments, coalesce((
  select jsonb_agg(jsonb_build_object('kind', r.kind, 'code', r.code, 'name', r.name, 'country', r.country,
    'is_closed', r.retired_at is not null) order by r.kind desc, r.code)
  from shipment_place_ports q join ports r using (kind, code)
  where (q.company_id, q.place_id) = (p.company_id, p.id)), '[]') as ports`
const sorts = {
  name: sql`lower(p.name)`,
  region: sql`lower(p.region)`,
  country: sql`p.country`,
  companyName: sql`lower(p.company_name)`,
  createdAt: sql`p.created_at`,
}
const order = (sort: string) => sql`${orderOf(sorts, sort)}, lower(p.name), p.id`

function from(
  { companyId }: TenantTx,
  kind: PlaceKind,
  { search = '', country }: Partial<Filters>,
): RawBuilder<unknown> {
  const pattern = containing(search)
  return sql`shipment_places p where p.company_id = ${companyId} and p.kind = ${kind} and p.archived_at is null
    and (${country ?? null}::text is null or p.country = ${country ?? null})
    and (${search === ''} or p.name ilike ${pattern} or p.region ilike ${pattern} or p.company_name ilike ${pattern}
      or p.person_of_contact ilike ${pattern} or p.address ilike ${pattern} or p.gln like ${pattern} or exists (
        select from shipment_place_ports q join ports r using (kind, code)
        where (q.company_id, q.place_id) = (p.company_id, p.id) and r.search like ${containing(foldName(search))}))`
}

export const pageOfPlaces = (ctx: TenantTx, kind: PlaceKind, query: z.output<typeof ShipmentPlaceQuery>) =>
  pageOfRows<PlaceRow>(ctx.tx, query, {
    columns: sql`p.*`,
    from: from(ctx, kind, query),
    order: order(query.sort),
    rest: { of: 'p', columns: details(kind) },
  })

export const allPlaces = (ctx: TenantTx, kind: PlaceKind, query: Filters) =>
  allRows<PlaceRow>(ctx.tx)`
    select p.*, ${details(kind)} from ${from(ctx, kind, query)} order by ${order(query.sort)} limit ${maxRows}`

/** Throws NOT_FOUND. */
export const findPlace = async (ctx: TenantTx, kind: PlaceKind, id: string): Promise<PlaceRow> =>
  orNotFound(
    await firstRow<PlaceRow>(ctx.tx)`select p.*, ${details(kind)} from ${from(ctx, kind, {})} and p.id = ${id}::int8`,
  )

/** The place, locked until the transaction ends. Throws NOT_FOUND. */
export async function lockPlace(ctx: TenantTx, kind: PlaceKind, id: string): Promise<PlaceRow> {
  orNotFound(
    await firstRow(
      ctx.tx,
    )`select from shipment_places where company_id = ${ctx.companyId} and id = ${id}::int8 for update`,
  )
  return findPlace(ctx, kind, id)
}

/** One change of names in a company at a time: the next waits here, then sees what this one did. */
export const lockNames = ({ tx, companyId }: TenantTx) =>
  sql`select pg_advisory_xact_lock(${locksOfCompany.shipmentPlaces}::int4, ${companyId}::int4)`.execute(tx)

/** Whether another place of the kind has this name. */
export const isNameTaken = async (
  { tx, companyId }: TenantTx,
  kind: PlaceKind,
  name: string,
  but: string | null,
): Promise<boolean> =>
  (await countRows(tx)`select count(*)::int as n from shipment_places where company_id = ${companyId} and kind = ${kind}
    and lower(name) = lower(${name}) and archived_at is null and id is distinct from ${but}::int8`) > 0

export async function insertPlace(
  { tx, companyId, clock }: Context,
  kind: PlaceKind,
  values: NewPlaceValues,
): Promise<string> {
  const now = clock.now()
  const row = { ...values, kind, company_id: companyId, created_at: now, updated_at: now }
  return (await tx.insertInto('shipment_places').values(row).returning('id').executeTakeFirstOrThrow()).id
}

export const updatePlace = ({ tx, companyId, clock }: Context, id: string, values: PlaceValues) =>
  tx
    .updateTable('shipment_places')
    .set({ ...values, updated_at: clock.now(), version: sql`version + 1` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()

/** The ports of a place, instead of those it has. */
export async function replacePorts(
  { tx, companyId }: TenantTx,
  id: string,
  ports: readonly { kind: string; code: string }[],
): Promise<void> {
  await tx.deleteFrom('shipment_place_ports').where('company_id', '=', companyId).where('place_id', '=', id).execute()
  if (ports.length === 0) return
  const rows = ports.map(({ kind, code }) => ({ kind, code, company_id: companyId, place_id: id }))
  await tx.insertInto('shipment_place_ports').values(rows).execute()
}
