import { type RawBuilder, sql } from 'kysely'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

/** The part of the company's readings that a caller asks for and may see. */
export interface Sight {
  seesPrivate: boolean
  /** Null: all but a sample. */
  deviceIds: number[] | null
  from: Date | null
}

/** Lines of readings, in the order of the export. */
export interface Lines {
  /** Apart, as they came: to join them would copy them. */
  texts: string[]
  /** Readings in them. */
  count: number
  /** Readings that a lapsed licence hides. */
  hidden: number
}

/**
 * So many lines come in one row, some 20 KB: what reads from PostgreSQL doubles its buffer until a row fits, and a page of one row had a server need 70 MB
 * more.
 */
const linesOfRow = 100

interface LinesRow {
  text: string | null
  count: number
  hidden: number
}

const linesOf = (rows: LinesRow[]): Lines => ({
  texts: rows.flatMap(({ text }) => (text ? [text] : [])),
  count: rows.reduce((sum, { count }) => sum + count, 0),
  hidden: rows.reduce((sum, { hidden }) => sum + hidden, 0),
})

/** The rows of lines of `own`, which has `line` and `is_shown`, in its order. */
const inRows = (order: string): RawBuilder<unknown> =>
  sql.raw(`
    select piece, string_agg(line, '' order by ${order}) filter (where is_shown) as text,
      (count(*) filter (where is_shown))::int as count, (count(*) filter (where not is_shown))::int as hidden
    from (select own.*, (row_number() over (order by ${order}) - 1) / ${linesOfRow} as piece from own) numbered group by piece`)

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const number = (value: string) => `coalesce((${value})::text, 'null')`

// PostgreSQL makes the text: 10 million readings as rows would keep the event loop busy for minutes.
const line = (reading: string, device: string): RawBuilder<string> =>
  sql.raw(
    `'{"deviceId":"' || ${device}.id || '","deviceName":' || to_json(${device}.name)
    || ',"at":"' || ${instant(`${reading}.measured_at`)} || '","receivedAt":"' || ${instant(`${reading}.received_at`)}
    || '","temperatureC":' || ${number(`${reading}.temperature_centi / 100.0::float8`)}
    || ',"humidityPct":' || ${number(`${reading}.humidity_centi / 100.0::float8`)}
    || ',"batteryPct":' || ${number(`${reading}.battery_pct`)} || ',"lightLux":' || ${number(`${reading}.light_lux`)}
    || ',"lat":' || ${number(`${reading}.lat_e7 / 1e7::float8`)} || ',"lon":' || ${number(`${reading}.lon_e7 / 1e7::float8`)}
    || E'}\\n'`,
  )

/** The devices `d` whose readings an export has. A sample's are made up: they come where it is named. */
const inSight = ({ companyId }: Pick<TenantTx, 'companyId'>, { seesPrivate, deviceIds }: Sight) => sql<boolean>`
  d.company_id = ${companyId} and (${seesPrivate} or d.visibility = 'public')
  and ${deviceIds ? sql`d.id = any(${deviceIds}::int4[])` : sql`d.sample_until is null`}`

const columns = sql.raw(
  'r.measured_at, r.received_at, r.temperature_centi, r.humidity_centi, r.battery_pct, r.light_lux, r.lat_e7, r.lon_e7',
)

/** The ids of further devices, from this one on. */
export const devicesFrom = async (ctx: TenantTx, sight: Sight, first: number, atMost: number): Promise<number[]> =>
  (
    await allRows<{ id: number }>(ctx.tx)`
      select d.id from devices d where ${inSight(ctx, sight)} and d.id >= ${first} order by d.id limit ${atMost}`
  ).map(({ id }) => id)

/** Those of these devices that are the company's, and that one with such a sight may see. */
export const countSeen = async (ctx: TenantTx, sight: Sight): Promise<number> =>
  (await firstRow<{ n: number }>(ctx.tx)`select count(*)::int as n from devices d where ${inSight(ctx, sight)}`)?.n ?? 0

interface DevicePage extends Lines {
  /** Readings that were looked at. */
  n: number
  lastUs: string | null
}

/**
 * Readings of a device after an instant, but for those of arrivals after `base`, which come by their arrivals. A reading carries the number of its
 * transaction, which is that of its arrival; numbers of transactions come again after four thousand million, within those bounds of time they do not.
 */
export async function deviceLines(
  { tx, companyId }: TenantTx,
  { from }: Sight,
  at: { base: string; deviceId: number; afterUs: string | null },
  atMost: number,
): Promise<DevicePage> {
  const after =
    at.afterUs === null
      ? sql`'-infinity'`
      : sql`'epoch'::timestamptz + ${at.afterUs}::float8 * interval '1 microsecond'`
  const rows = await allRows<LinesRow & Pick<DevicePage, 'n' | 'lastUs'>>(tx)`
    with page as materialized (
      select ${columns}, r.xmin as xid from readings r
      where r.company_id = ${companyId} and r.device_id = ${at.deviceId} and r.measured_at > ${after}
        and r.measured_at >= ${from ?? sql`'-infinity'`}::timestamptz
      order by r.measured_at limit ${atMost}),
    own as (
      select r.*, ${isShownSql('d', 'r.measured_at')} as is_shown, ${line('r', 'd')} as line
      from page r join devices d on d.company_id = ${companyId} and d.id = ${at.deviceId}
      where not exists (select from reading_arrivals a where a.company_id = ${companyId} and (a.number > ${at.base}::int8 or a.number is null)
        and a.xid::xid = r.xid and r.received_at between a.received_from and a.received_to))
    select whole.n, whole."lastUs", lines.text, coalesce(lines.count, 0) as count, coalesce(lines.hidden, 0) as hidden
    from (select count(*)::int as n, (extract(epoch from max(measured_at)) * 1000000)::int8::text as "lastUs" from page) whole
    left join (${inRows('measured_at')}) lines on true order by lines.piece`
  return { n: rows[0]?.n ?? 0, lastUs: rows[0]?.lastUs ?? null, ...linesOf(rows) }
}

interface ArrivalPage extends Lines {
  /** The arrival that the last reading is of, and its place in it from 1; null where there was none. */
  number: string | null
  place: number
  /** How many readings that arrival has. */
  size: number
}

/** Readings of the arrivals after a place, up to arrival `last`, by arrival. */
export async function arrivalLines(
  ctx: TenantTx,
  sight: Sight,
  at: { number: string; offset: number; last: string },
  atMost: number,
): Promise<ArrivalPage> {
  const { companyId } = ctx
  const rows = await allRows<LinesRow & Pick<ArrivalPage, 'number' | 'place' | 'size'>>(ctx.tx)`
    with keys as materialized (
      select a.number, k.place, cardinality(a.device_ids) as size, k.device_id, k.measured_at
      from reading_arrivals a cross join lateral unnest(a.device_ids, a.measured_at) with ordinality k (device_id, measured_at, place)
      where a.company_id = ${companyId} and a.number > ${at.number}::int8 and a.number <= ${at.last}::int8
        and (k.place > ${at.offset} or a.number > ${at.number}::int8 + 1)
      order by a.number, k.place limit ${atMost}),
    own as (
      select keys.number, keys.place, ${isShownSql('d', 'r.measured_at')} as is_shown, ${line('r', 'd')} as line
      from keys join devices d on ${inSight(ctx, sight)} and d.id = keys.device_id
      cross join lateral (select ${columns} from readings r where r.company_id = ${companyId} and r.device_id = keys.device_id
        and r.measured_at = keys.measured_at limit 1) r
      where r.measured_at >= ${sight.from ?? sql`'-infinity'`}::timestamptz)
    select last.number::text as number, coalesce(last.place, 0)::int as place, coalesce(last.size, 0) as size,
      lines.text, coalesce(lines.count, 0) as count, coalesce(lines.hidden, 0) as hidden
    from (select) one left join (${inRows('number, place')}) lines on true
    left join (select number, place, size from keys order by number desc, place desc limit 1) last on true order by lines.piece`
  return { number: rows[0]?.number ?? null, place: rows[0]?.place ?? 0, size: rows[0]?.size ?? 0, ...linesOf(rows) }
}
