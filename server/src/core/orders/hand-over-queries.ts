import type { Insertable, Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { HandoverPhotos, Handovers } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type HandOverRow = Selectable<Handovers>
export type PhotoRow = Selectable<HandoverPhotos>

/** The hand-overs of an order, oldest first. */
export const handOversOf = ({ tx, companyId }: TenantTx, orderId: string): Promise<HandOverRow[]> =>
  allRows<HandOverRow>(tx)`
    select * from handovers where company_id = ${companyId} and order_id = ${orderId}::int8 order by id`

/** The last hand-over to a receiver, void or not. */
export const lastHandOver = ({ tx, companyId }: TenantTx, receiverId: string): Promise<HandOverRow | undefined> =>
  firstRow<HandOverRow>(tx)`
    select * from handovers where company_id = ${companyId} and receiver_id = ${receiverId}::int8 order by id desc limit 1`

export const findHandOver = ({ tx, companyId }: TenantTx, id: string): Promise<HandOverRow | undefined> =>
  firstRow<HandOverRow>(tx)`select * from handovers where company_id = ${companyId} and id = ${id}::int8`

export const photosOf = ({ tx, companyId }: TenantTx, handOverIds: readonly string[]): Promise<PhotoRow[]> =>
  allRows<PhotoRow>(tx)`
    select * from handover_photos where company_id = ${companyId} and handover_id = any(${handOverIds}::int8[]) order by id`

export const findPhoto = ({ tx, companyId }: TenantTx, id: string): Promise<PhotoRow | undefined> =>
  firstRow<PhotoRow>(tx)`select * from handover_photos where company_id = ${companyId} and id = ${id}::int8`

/** Stores a hand-over with its photos. */
export const insertHandOver = async (
  { tx, companyId }: TenantTx,
  row: Omit<Insertable<Handovers>, 'company_id'>,
  photos: readonly Omit<Insertable<HandoverPhotos>, 'company_id' | 'handover_id'>[],
): Promise<HandOverRow> => {
  const made = await tx
    .insertInto('handovers')
    .values({ ...row, company_id: companyId })
    .returningAll()
    .executeTakeFirstOrThrow()
  const rows = photos.map((photo) => ({ ...photo, company_id: companyId, handover_id: made.id }))
  if (rows.length > 0) await tx.insertInto('handover_photos').values(rows).execute()
  return made
}

/** Makes a hand-over void. False where it is already. */
export async function voidHandOver(
  { tx, companyId }: TenantTx,
  id: string,
  { at, reason }: { at: Date; reason: string },
): Promise<boolean> {
  const changed = await firstRow(tx)`
    update handovers set void_at = ${at}, void_reason = ${reason}
    where company_id = ${companyId} and id = ${id}::int8 and void_at is null returning id`
  return changed !== undefined
}

/** Writes that readings came after a hand-over which its verdict stands against, with the hash of all of them. */
export async function noteReadings(
  { tx, companyId }: TenantTx,
  id: string,
  { at, readings }: { at: Date; readings: string },
): Promise<void> {
  await firstRow(tx)`
    update handovers set readings_added_at = ${at}, readings_now = ${readings}
    where company_id = ${companyId} and id = ${id}::int8 and void_at is null returning id`
}

/** Keeps the receipt of a hand-over. False where it has one. */
export async function keepReceipt(
  { tx, companyId }: TenantTx,
  id: string,
  { key, sha256 }: { key: string; sha256: Buffer },
): Promise<boolean> {
  const kept = await firstRow(tx)`
    update handovers set receipt_key = ${key}, receipt_sha256 = ${sha256}
    where company_id = ${companyId} and id = ${id}::int8 and receipt_key is null returning id`
  return kept !== undefined
}

export interface Fix {
  lat: number
  lon: number
  accuracyM: number | null
  at: Date
  role: string
  isPublic: boolean
}

/** The last position of each device of an order that is for a receiver, or for all; newest first. */
export const fixesOf = (
  { tx, companyId }: TenantTx,
  { orderId, receiverId }: { orderId: string; receiverId: string },
): Promise<Fix[]> =>
  allRows<Fix>(tx)`
    select n.lat_e7 / 1e7::float8 as lat, n.lon_e7 / 1e7::float8 as lon, n.accuracy_m::float8 as "accuracyM", n.position_at as at, x.role,
      d.visibility = 'public' as "isPublic"
    from order_devices x join devices d on d.company_id = x.company_id and d.id = x.device_id
    join device_latest n on n.company_id = d.company_id and n.device_id = d.id
    where x.company_id = ${companyId} and x.order_id = ${orderId}::int8 and n.lat_e7 is not null
      and (x.receiver_id is null or x.receiver_id = ${receiverId}::int8)
    order by n.position_at desc`

/** Whether a member has said that the vehicle is at a receiver. */
export const isConfirmed = async ({ tx, companyId }: TenantTx, orderId: string, receiverId: string): Promise<boolean> =>
  (await firstRow(tx)`
    select from order_events where company_id = ${companyId} and order_id = ${orderId}::int8 and receiver_id = ${receiverId}::int8
      and kind = 'arrived' and source = 'person' limit 1`) !== undefined

export interface DoubtfulHandOver {
  companyId: number
  orderId: string
  id: string
}

/**
 * Hand-overs that stand, recorded within a period, for whose devices something was received after it that was measured before it. `marginS`:
 * seconds before it from when on such readings count, as they may have been on their way into the database. As pipeline.
 */
export const overtakenHandOvers = (tx: Tx, since: Date, marginS: number): Promise<DoubtfulHandOver[]> =>
  allRows<DoubtfulHandOver>(tx)`
    select h.company_id as "companyId", h.order_id as "orderId", h.id from handovers h
    where h.void_at is null and h.recorded_at >= ${since} and h.verdict->>'readings' is not null and exists (
      select from readings r where r.company_id = h.company_id
        and r.device_id in (select value::int4 from jsonb_array_elements_text(h.verdict->'devices'))
        and r.measured_at >= (h.verdict->'conditions'->>'from')::timestamptz
        and r.measured_at <= (h.verdict->'conditions'->>'to')::timestamptz
        and r.received_at > h.recorded_at - ${marginS} * interval '1 second')
    order by h.recorded_at`
