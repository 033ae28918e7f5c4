import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** Devices from one instant to another, both included. */
export interface Stretch {
  devices: readonly number[]
  from: Date
  to: Date
  /** Those that were there for a part of it. */
  parted?: readonly { id: number; joined_at: Date | null; left_at: Date | null }[]
}

const readingsSql = (ctx: TenantTx, { devices, from, to, parted = [] }: Stretch) => {
  const isThere =
    parted.length === 0
      ? sql`true`
      : sql`not exists (select from unnest(${parted.map(({ id }) => id)}::int4[],
            ${parted.map(({ joined_at }) => joined_at)}::timestamptz[], ${parted.map(({ left_at }) => left_at)}::timestamptz[])
            as p (id, joined_at, left_at)
          where p.id = device_id and (measured_at < p.joined_at or measured_at > p.left_at))`
  return sql`readings where company_id = ${ctx.companyId} and device_id = any(${devices}::int4[])
    and measured_at >= ${from} and measured_at <= ${to} and ${isThere}`
}

/**
 * Another text after any insert, update or delete of a reading: a row has the number of the transaction that wrote it (xmin), and
 * they are counted and added up.
 */
export async function stampOfReadings(ctx: TenantTx, stretch: Stretch): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select count(*) || ' ' || coalesce(sum(xmin::text::int8), 0) as stamp from ${readingsSql(ctx, stretch)}`.execute(
    ctx.tx,
  )
  return rows[0]?.stamp ?? ''
}

/** By device, the hash of a line for every reading, by time, in the integers they are kept in. */
export const hashesOfReadings = (ctx: TenantTx, stretch: Stretch) =>
  allRows<{ id: number; hash: string }>(ctx.tx)`
    select device_id as id, encode(sha256(convert_to(string_agg(concat(
      (extract(epoch from measured_at) * 1000000)::int8, ',', temperature_centi, ',', humidity_centi, ',', light_lux, ',',
      battery_pct, ',', lat_e7, ',', lon_e7, ',' || extra::text), E'\n' order by measured_at), 'UTF8')), 'hex') as hash
    from ${readingsSql(ctx, stretch)} group by device_id order by device_id`

/** Which hardware measured for which device; what came before and after is no part of it. */
export const hardwareWithin = (ctx: TenantTx, { devices, from, to }: Stretch) =>
  allRows(ctx.tx)`
    select device_id, imei, probe, greatest(valid_from, ${from}) as since, least(valid_to, ${to}) as until from assignments
    where company_id = ${ctx.companyId} and device_id = any(${devices}::int4[]) and valid_from <= ${to}
      and (valid_to is null or valid_to > ${from}) order by device_id, valid_from`

/** The rules that judged the readings: limits and intervals, those in force when the stretch began included. */
export async function rulesWithin(ctx: TenantTx, { devices, from, to }: Stretch) {
  const inForce = (table: string) => sql`company_id = ${ctx.companyId} and device_id = any(${devices}::int4[])
    and valid_from <= ${to} and valid_from >= coalesce((select max(b.valid_from) from ${sql.table(table)} b
      where b.company_id = t.company_id and b.device_id = t.device_id and b.valid_from <= ${from}), '-infinity')`
  const limits = await sql`
    select device_id, valid_from::text, temperature_min_centi, temperature_max_centi, humidity_min_centi, humidity_max_centi
    from device_limits t where ${inForce('device_limits')} order by device_id, t.valid_from`.execute(ctx.tx)
  const intervals = await sql`
    select device_id, valid_from::text, interval_s from device_intervals t where ${inForce('device_intervals')}
    order by device_id, t.valid_from`.execute(ctx.tx)
  return { limits: limits.rows, intervals: intervals.rows }
}

/** When a note or a file that is no addendum was last added or taken away, ms; -Infinity where there never was one. */
export type Touched = Record<'notes' | 'attachments', number>

export async function touchedAt(ctx: TenantTx, recordId: string): Promise<Touched> {
  const last = (table: string) => sql`(select (extract(epoch from max(greatest(created_at, removed_at))) * 1000)::float8
    from ${sql.table(table)} where company_id = ${ctx.companyId} and record_id = ${recordId}::int8 and not is_addendum)`
  const { rows } = await sql<Record<keyof Touched, number | null>>`
    select ${last('record_notes')} as notes, ${last('record_attachments')} as attachments`.execute(ctx.tx)
  const never = Number.NEGATIVE_INFINITY
  return { notes: rows[0]?.notes ?? never, attachments: rows[0]?.attachments ?? never }
}
