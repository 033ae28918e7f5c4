import type { PlaceQuery } from '@isotherm/contract/places.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import { pageOfRows } from '../../platform/db/rows.ts'
import type { Geofences, PointsOfInterest } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type GeofenceRow = Selectable<Geofences>
export type PointRow = Selectable<PointsOfInterest>
export type PlaceTable = 'geofences' | 'points_of_interest'
type RowOf<T extends PlaceTable> = T extends 'geofences' ? GeofenceRow : PointRow

const orders = {
  name: sql`lower(name), id`,
  '-name': sql`lower(name) desc, id`,
  createdAt: sql`created_at, id`,
  '-createdAt': sql`created_at desc, id`,
}

/** One page of a company's fences or points, and how many there are in all. */
export const listPlaces = <T extends PlaceTable>(tx: Tx, companyId: number, table: T, query: PlaceQuery) =>
  pageOfRows<RowOf<T>>(tx, query, {
    columns: sql`*`,
    from: sql`${sql.table(table)} where company_id = ${companyId} and name ilike ${containing(query.search ?? '')}`,
    order: orders[query.sort],
  })

/**
 * Whether another geofence or point of the company has this name, in whatever case. Locks the company's row until the transaction
 * ends, so that of two who choose one name at once the second sees the first.
 */
export async function isPlaceNameTaken(
  tx: Tx,
  companyId: number,
  table: PlaceTable,
  name: string,
  except: string | null,
) {
  await tx.selectFrom('companies').select('name').where('company_id', '=', companyId).forNoKeyUpdate().execute()
  const { rows } = await sql`select from ${sql.table(table)} where company_id = ${companyId}
    and lower(name) = lower(${name}) and id is distinct from ${except}::int8`.execute(tx)
  return rows.length > 0
}

/** Locked until the transaction ends: of two who change it at once the second sees what the first did. */
export const lockGeofence = (tx: Tx, companyId: number, id: string): Promise<GeofenceRow | undefined> =>
  tx
    .selectFrom('geofences')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertGeofence = (tx: Tx, row: Insertable<Geofences>): Promise<GeofenceRow> =>
  tx.insertInto('geofences').values(row).returningAll().executeTakeFirstOrThrow()

export const updateGeofence = (tx: Tx, companyId: number, id: string, change: Updateable<Geofences>) =>
  tx
    .updateTable('geofences')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const findPoint = (tx: Tx, companyId: number, id: string): Promise<PointRow | undefined> =>
  point(tx, companyId, id).executeTakeFirst()

export const lockPoint = (tx: Tx, companyId: number, id: string): Promise<PointRow | undefined> =>
  point(tx, companyId, id).forUpdate().executeTakeFirst()

const point = (tx: Tx, companyId: number, id: string) =>
  tx.selectFrom('points_of_interest').selectAll().where('company_id', '=', companyId).where('id', '=', id)

export const insertPoint = (tx: Tx, row: Insertable<PointsOfInterest>): Promise<PointRow> =>
  tx.insertInto('points_of_interest').values(row).returningAll().executeTakeFirstOrThrow()

export const updatePoint = (tx: Tx, companyId: number, id: string, change: Updateable<PointsOfInterest>) =>
  tx
    .updateTable('points_of_interest')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deletePlace = (tx: Tx, companyId: number, table: PlaceTable, id: string) =>
  tx.deleteFrom(table).where('company_id', '=', companyId).where('id', '=', id).execute()
