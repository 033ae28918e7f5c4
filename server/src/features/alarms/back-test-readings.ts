import { type RawBuilder, sql } from 'kysely'
import type { AlarmMeasure, ValueCondition } from '../../domain/alarm-conditions.ts'
import type { Fix } from '../../domain/alarm-fence.ts'
import type { Point } from '../../domain/measures.ts'
import type { Context } from '../../platform/http/context.ts'

export interface Window {
  from: Date
  to: Date
}

/** The readings of one device, or of a stretch of them, packed: what is fixed in size travels ten times faster than rows. */
interface PackedRow {
  id: number
  packed: Buffer | null
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::int8`)
const mine = (
  ctx: Context,
  deviceId: RawBuilder<unknown>,
  { from, to }: { from: RawBuilder<unknown>; to: RawBuilder<unknown> },
) =>
  sql`r.company_id = ${ctx.companyId} and r.device_id = ${deviceId} and r.measured_at >= ${from} and r.measured_at < ${to}`

const columns = { temperature: 'temperature_centi', humidity: 'humidity_centi', battery: 'battery_pct' } as const

/** The points of some stretches `w (device_id, first_at, end_at)`, packed by stretch. */
const packedPoints = (ctx: Context, measure: AlarmMeasure) => sql`
  select w.device_id as id, (select string_agg(int8send(at) || int2send(value), ''::bytea) from (
    select ${ms('r.measured_at')} as at, ${sql.ref(columns[measure])} as value from readings r
    where ${mine(ctx, sql`w.device_id`, { from: sql`w.first_at`, to: sql`w.end_at` })} and ${sql.ref(columns[measure])} is not null
    order by r.measured_at) as points) as packed
  from w order by w.device_id, w.first_at`

/**
 * The readings of a measure that may begin, confirm or end a firing, by device, ascending. Which hours have any is told by
 * their rollups: those with a value beyond a limit, the next one with readings (it confirms or drops what is pending), and
 * the first in which an open firing is normal again.
 */
export async function readPoints(
  ctx: Context,
  ids: readonly number[],
  measure: AlarmMeasure,
  conditions: readonly ValueCondition[],
  window: Window,
): Promise<Map<number, Iterable<Point>>> {
  const stretches =
    measure === 'battery'
      ? batteryStretches(ctx, ids, conditions, window)
      : hourStretches(ctx, ids, measure, conditions, window)
  const { rows } = await sql<PackedRow>`with ${stretches} ${packedPoints(ctx, measure)}`.execute(ctx.tx)
  const scale = measure === 'battery' ? 100 : 1
  return unpack(rows, 10, (packed, at) => ({
    at: Number(packed.readBigInt64BE(at)),
    value: packed.readInt16BE(at + 8) * scale,
  }))
}

function hourStretches(
  ctx: Context,
  ids: readonly number[],
  measure: 'temperature' | 'humidity',
  conditions: readonly ValueCondition[],
  { from, to }: Window,
): RawBuilder<unknown> {
  const [least, most] = [sql.ref(`${measure}_min_centi`), sql.ref(`${measure}_max_centi`)]
  const hot = conditions.map(({ side, limit }) =>
    side === 'above' ? sql`${most} > ${limit}::int4` : sql`${least} < ${limit}::int4`,
  )
  const back = conditions.map(({ side, normal }) =>
    side === 'above' ? sql`${least} <= ${normal}::int4` : sql`${most} >= ${normal}::int4`,
  )
  const either = (parts: RawBuilder<unknown>[]) => sql.join(parts, sql` or `)
  // An hour in which a value is back counts where it is the first such one for its condition.
  const first = conditions.map(
    (_, place) => sql`(${sql.ref(`back${place}`)} and not lag(${sql.ref(`back${place}`)}) over by_hour)`,
  )
  const backs = back.map((part, place) => sql`${part} as ${sql.ref(`back${place}`)}`)
  return sql`
    hours as (select device_id, bucket, ${either(hot)} as hot, ${sql.join(backs)} from readings_hourly
      where company_id = ${ctx.companyId} and device_id = any(${ids}::int4[]) and bucket >= ${from} and bucket < ${to}
        and ${sql.ref(`${measure}_n`)} > 0),
    judged as (select device_id, bucket, hot or coalesce(lag(hot) over by_hour, false) or coalesce(${either(first)}, false) as wanted
      from hours window by_hour as (partition by device_id order by bucket)),
    numbered as (select device_id, bucket, bucket - row_number() over (partition by device_id order by bucket) * interval '1 hour' as run
      from judged where wanted),
    w as (select device_id, min(bucket) as first_at, least(max(bucket) + interval '1 hour', ${to}::timestamptz) as end_at
      from numbered group by device_id, run)`
}

/**
 * The battery has no rollup: every reading is looked at, in the database. The hours with one beyond a limit, the reading after
 * them, and the first one that is normal again.
 */
function batteryStretches(
  ctx: Context,
  ids: readonly number[],
  conditions: readonly ValueCondition[],
  { from, to }: Window,
): RawBuilder<unknown> {
  const any = (parts: RawBuilder<unknown>[]) => sql.join(parts, sql` or `)
  const hot = any(
    conditions.map(({ side, limit }) =>
      side === 'above' ? sql`r.battery_pct * 100 > ${limit}::int4` : sql`r.battery_pct * 100 < ${limit}::int4`,
    ),
  )
  const after = (more: RawBuilder<unknown>) => sql`
    (select r.measured_at from readings r where ${mine(ctx, sql`h.device_id`, { from: sql`h.end_at`, to: sql`${to}` })}
      and r.battery_pct is not null ${more} order by r.measured_at limit 1)`
  const backs = conditions.map(({ side, normal }) =>
    after(
      side === 'above'
        ? sql`and r.battery_pct * 100 <= ${normal}::int4`
        : sql`and r.battery_pct * 100 >= ${normal}::int4`,
    ),
  )
  return sql`
    h as (select device_id, first_at, least(first_at + interval '1 hour', ${to}::timestamptz) as end_at from (
      select distinct r.device_id, date_bin('1 hour', r.measured_at, 'epoch') as first_at from readings r
      where r.company_id = ${ctx.companyId} and r.device_id = any(${ids}::int4[]) and r.measured_at >= ${from}
        and r.measured_at < ${to} and (${hot})) as hot),
    ends as (select device_id, end_at from h except select device_id, first_at from h),
    singles as (select h.device_id, at from ends h, lateral (values (${after(sql``)}), ${sql.join(
      backs.map((back) => sql`(${back})`),
    )}) as found (at) where at is not null),
    w as (select device_id, greatest(first_at, ${from}::timestamptz) as first_at, end_at from h
      union select device_id, at, at + interval '1 microsecond' from singles)`
}

/** Every fix of devices, by device, ascending. */
export async function readFixes(
  ctx: Context,
  ids: readonly number[],
  { from, to }: Window,
): Promise<Map<number, Iterable<Fix>>> {
  const { rows } = await sql<PackedRow>`
    select w.id, (select string_agg(int8send(at) || int4send(lat_e7) || int4send(lon_e7) || float4send(accuracy), ''::bytea) from (
      select ${ms('r.measured_at')} as at, lat_e7, lon_e7, coalesce((extra ->> 'accuracyM')::float4, 0) as accuracy from readings r
      where ${mine(ctx, sql`w.id`, { from: sql`${from}`, to: sql`${to}` })} and lat_e7 is not null and lon_e7 is not null
      order by r.measured_at) as fixes) as packed
    from unnest(${ids}::int4[]) as w (id)`.execute(ctx.tx)
  return unpack(rows, 20, (packed, at) => ({
    at: Number(packed.readBigInt64BE(at)),
    lat: packed.readInt32BE(at + 8) / 1e7,
    lon: packed.readInt32BE(at + 12) / 1e7,
    accuracyM: packed.readFloatBE(at + 16),
  }))
}

/** What was packed of one device, read one by one: a slice of millions is never all there as objects. */
class Packed<T extends { at: number }> implements Iterable<T> {
  readonly parts: Buffer[] = []
  readonly #bytes: number
  readonly #read: (packed: Buffer, at: number) => T
  constructor(bytes: number, read: (packed: Buffer, at: number) => T) {
    this.#bytes = bytes
    this.#read = read
  }

  *[Symbol.iterator](): Generator<T> {
    let last = Number.NEGATIVE_INFINITY
    for (const part of this.parts)
      for (let at = 0; at < part.length; at += this.#bytes) {
        const item = this.#read(part, at)
        // Stretches may overlap: what was read already is in its place.
        if (item.at <= last) continue
        last = item.at
        yield item
      }
  }
}

function unpack<T extends { at: number }>(
  rows: readonly PackedRow[],
  bytes: number,
  read: (packed: Buffer, at: number) => T,
): Map<number, Iterable<T>> {
  const found = new Map<number, Packed<T>>()
  for (const { id, packed } of rows) {
    if (!packed) continue
    const one = found.get(id) ?? new Packed(bytes, read)
    one.parts.push(packed)
    found.set(id, one)
  }
  return found
}
