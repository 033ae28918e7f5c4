import { type RawBuilder, sql } from 'kysely'
import { fixAccuracySql } from '../../core/devices/fix-accuracy.ts'
import type { AlarmMeasure, ValueCondition } from '../../domain/alarm-conditions.ts'
import type { Fix } from '../../domain/alarm-fence.ts'
import type { Point } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'

export interface Window {
  from: Date
  to: Date
}

/** The readings of one device, or of a stretch of them, packed: what is fixed in size travels ten times faster than rows. */
interface PackedRow {
  id: number
  packed: Buffer | null
}

type Sql = RawBuilder<unknown>

const mine = (ctx: Context, deviceId: Sql, from: Sql, to: Sql) =>
  sql`r.company_id = ${ctx.companyId} and r.device_id = ${deviceId} and r.measured_at >= ${from} and r.measured_at < ${to}`

const columns = { temperature: 'temperature_centi', humidity: 'humidity_centi', battery: 'battery_pct' } as const
const instant = sql`interval '1 microsecond'`
const anyOf = (parts: readonly Sql[]) => sql.join(parts, sql` or `)

/**
 * The readings of a measure that may begin, confirm or end a firing, by device, ascending: those of the hours with a value
 * beyond a limit, the next one after them (it confirms or drops what is pending), and those of the first hour after them in
 * which a value is back, where a deadband asks for more than to be inside. For totals of 24 h also those of the `reachMs`
 * after them, in which a total falls again.
 */
export async function readPoints(
  ctx: Context,
  ids: readonly number[],
  measure: AlarmMeasure,
  conditions: readonly ValueCondition[],
  window: Window,
  reachMs: number,
): Promise<Map<number, Iterable<Point>>> {
  const to = sql`${window.to}::timestamptz`
  const value = sql.ref(columns[measure])
  const { hot, back } = measure === 'battery' ? ofBattery(ctx, ids, window) : ofHours(ctx, ids, measure, window)
  const backs = conditions
    .filter(({ limit, normal }) => limit !== normal)
    .map((condition) => sql`union ${back(condition)}`)
  const { rows } = await sql<PackedRow>`
    with hot as (${hot(conditions)}),
    numbered as (${reachMs > 0 ? within(reachMs) : inARow}),
    runs as (select device_id, min(bucket) as first_at,
        least(max(bucket) + interval '1 hour' + ${reachMs}::float8 * interval '1 millisecond', ${to}) as end_at
      from numbered group by device_id, run),
    w as materialized (select device_id, first_at, coalesce((select r.measured_at + ${instant} from readings r
        where ${mine(ctx, sql`runs.device_id`, sql`runs.end_at`, to)} and ${value} is not null order by r.measured_at limit 1), end_at) as end_at
      from runs ${sql.join(backs, sql` `)})
    select w.device_id as id, (select string_agg(timestamptz_send(at) || int2send(value), ''::bytea) from (
      select r.measured_at as at, ${value} as value from readings r
      where ${mine(ctx, sql`w.device_id`, sql`w.first_at`, sql`w.end_at`)} and ${value} is not null
      order by r.measured_at) as points) as packed
    from w order by w.device_id, w.first_at`.execute(ctx.tx)
  const scale = measure === 'battery' ? 100 : 1
  return unpack(rows, 10, (packed, at) => ({ at: instantAt(packed, at), value: packed.readInt16BE(at + 8) * scale }))
}

const inARow = sql`select device_id, bucket,
  bucket - row_number() over (partition by device_id order by bucket) * interval '1 hour' as run from hot`
/** Hours not farther apart than they reach are one run. */
const within = (reachMs: number) => sql`select device_id, bucket,
    sum(is_new) over (partition by device_id order by bucket) as run from (
  select device_id, bucket, case when bucket - lag(bucket) over (partition by device_id order by bucket)
    <= interval '1 hour' + ${reachMs}::float8 * interval '1 millisecond' then 0 else 1 end as is_new from hot) as apart`

interface Where {
  /** `device_id, bucket`: the hours with a value beyond a limit. */
  hot(conditions: readonly ValueCondition[]): Sql
  /** `device_id`, first and end: where a value is back for the first time after each of `runs`. */
  back(condition: ValueCondition): Sql
}

function ofHours(
  ctx: Context,
  ids: readonly number[],
  measure: 'temperature' | 'humidity',
  { from, to }: Window,
): Where {
  const [least, most] = [sql.ref(`${measure}_min_centi`), sql.ref(`${measure}_max_centi`)]
  return {
    hot: (conditions) => sql`select device_id, bucket from readings_hourly
      where company_id = ${ctx.companyId} and device_id = any(${ids}::int4[]) and bucket >= ${from} and bucket < ${to}
        and (${anyOf(conditions.map(({ side, limit }) => (side === 'above' ? sql`${most} > ${limit}::int4` : sql`${least} < ${limit}::int4`)))})`,
    back: ({ side, normal }) => sql`select runs.device_id, b.bucket, b.bucket + interval '1 hour' from runs, lateral (
      select h.bucket from readings_hourly h where h.company_id = ${ctx.companyId} and h.device_id = runs.device_id
        and h.bucket >= runs.end_at and h.bucket < ${to}
        and ${side === 'above' ? sql`h.${least} <= ${normal}::int4` : sql`h.${most} >= ${normal}::int4`}
      order by h.bucket limit 1) as b`,
  }
}

/** The battery has no rollup: every reading is looked at, but in the database. */
function ofBattery(ctx: Context, ids: readonly number[], { from, to }: Window): Where {
  return {
    hot: (
      conditions,
    ) => sql`select distinct r.device_id, date_bin('1 hour', r.measured_at, 'epoch') as bucket from readings r
      where ${mine(ctx, sql`any(${ids}::int4[])`, sql`${from}`, sql`${to}`)} and (${anyOf(
        conditions.map(({ side, limit }) =>
          side === 'above' ? sql`r.battery_pct * 100 > ${limit}::int4` : sql`r.battery_pct * 100 < ${limit}::int4`,
        ),
      )})`,
    back: ({ side, normal }) => sql`select runs.device_id, b.at, b.at + ${instant} from runs, lateral (
      select r.measured_at as at from readings r where ${mine(ctx, sql`runs.device_id`, sql`runs.end_at`, sql`${to}`)}
        and ${side === 'above' ? sql`r.battery_pct * 100 <= ${normal}::int4` : sql`r.battery_pct * 100 >= ${normal}::int4`}
      order by r.measured_at limit 1) as b`,
  }
}

const epoch2000Ms = 946_684_800_000
/** An instant as the database sends it (microseconds since 2000), in ms since 1970. */
const instantAt = (packed: Buffer, at: number): number =>
  Math.round((packed.readInt32BE(at) * 4_294_967_296 + packed.readUInt32BE(at + 4)) / 1000) + epoch2000Ms

/** When a device was heard from, and where it was, where it said so. */
export interface ReceivedFix {
  at: number
  fix: Fix | null
}

const nowhere = 2_147_483_647

/** Every fix of devices, by device, ascending; and the readings without one, where a dwell goes on through them. */
export async function readFixes(
  ctx: Context,
  ids: readonly number[],
  { from, to }: Window,
  { isDwell }: { isDwell: boolean },
): Promise<Map<number, Iterable<ReceivedFix>>> {
  const { rows } = await sql<PackedRow>`
    select w.id, (select string_agg(timestamptz_send(at) || int4send(lat) || int4send(lon) || float4send(accuracy), ''::bytea) from (
      select r.measured_at as at, coalesce(lat_e7, ${nowhere}::int4) as lat, coalesce(lon_e7, ${nowhere}::int4) as lon,
        (${sql.raw(fixAccuracySql('extra'))})::float4 as accuracy from readings r
      where ${mine(ctx, sql`w.id`, sql`${from}`, sql`${to}`)} and (${isDwell} or lat_e7 is not null)
      order by r.measured_at) as fixes) as packed
    from unnest(${ids}::int4[]) as w (id)`.execute(ctx.tx)
  return unpack(rows, 20, (packed, start) => {
    const at = instantAt(packed, start)
    const [lat, lon] = [packed.readInt32BE(start + 8), packed.readInt32BE(start + 12)]
    const fix = { at, lat: lat / 1e7, lon: lon / 1e7, accuracyM: packed.readFloatBE(start + 16) }
    return { at, fix: lat === nowhere ? null : fix }
  })
}

/** Reads the packed readings of one device one by one: a slice of millions is never in memory as objects. */
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
