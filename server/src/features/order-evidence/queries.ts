import { sql } from 'kysely'
import { fixAccuracySql } from '../../core/devices/fix-accuracy.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { conditionDevicesSql } from '../../core/orders/order-state-sql.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { TenantTx, Viewer } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

export interface DeviceRow {
  id: number
  name: string
  role: 'cargo' | 'vehicle'
  receiver_id: string | null
}

/** The devices whose conditions are those of an order, as far as the reader may see them. */
export const conditionDevices = (ctx: Viewer, orderId: string): Promise<DeviceRow[]> =>
  allRows<DeviceRow>(ctx.tx)`
    select c.* from orders o
    cross join lateral (select d.id, d.name, m.role, m.receiver_id from ${conditionDevicesSql(ctx)}) c
    where o.company_id = ${ctx.companyId} and o.id = ${orderId}::int8 order by lower(c.name), c.id`

/** How many of those devices the reader may not see. */
export async function countHidden(ctx: Viewer, orderId: string): Promise<number> {
  const row = await firstRow<{ n: number }>(ctx.tx)`
    select (select count(*)::int from order_devices m where m.company_id = o.company_id and m.order_id = o.id
        and (m.role = 'cargo' or not exists (select from order_devices c
          where c.company_id = o.company_id and c.order_id = o.id and c.role = 'cargo')))
      - (select count(*)::int from ${conditionDevicesSql(ctx)}) as n
    from orders o where o.company_id = ${ctx.companyId} and o.id = ${orderId}::int8`
  return row?.n ?? 0
}

/** The devices of the vehicle of an order: those that go with it as such, and its own tracker. */
const vehicleDevicesSql = ({ companyId }: Viewer, orderId: string) => sql`(
  select m.device_id from order_devices m
  where m.company_id = ${companyId} and m.order_id = ${orderId}::int8 and m.role = 'vehicle'
  union select v.device_id from orders o join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id
  where o.company_id = ${companyId} and o.id = ${orderId}::int8)`

interface VehicleFix {
  deviceId: number
  at: number
  lat: number
  lon: number
  accuracyM: number
}

/** The fixes of a span by the devices of an order's vehicle that the reader sees, by device and time, as far as their licences show them. */
export const vehicleFixes = (ctx: Viewer, orderId: string, from: Date, to: Date): Promise<VehicleFix[]> =>
  allRows<VehicleFix>(ctx.tx)`
    select r.device_id as "deviceId", (extract(epoch from r.measured_at) * 1000)::float8 as at, r.lat_e7 / 1e7::float8 as lat,
      r.lon_e7 / 1e7::float8 as lon, ${sql.raw(fixAccuracySql('r.extra'))} as "accuracyM"
    from devices d join readings r on r.company_id = d.company_id and r.device_id = d.id
    where ${visibleSql(ctx)} and d.id in ${vehicleDevicesSql(ctx, orderId)}
      and r.measured_at between ${from} and ${to} and r.lat_e7 is not null and r.lon_e7 is not null
      and ${isShownSql('d', 'r.measured_at')}
    order by r.device_id, r.measured_at`

type LastFix = Pick<VehicleFix, 'lat' | 'lon' | 'accuracyM'>

/** The last position since an instant by the devices of an order that the reader sees, that of its vehicle first. */
export const lastFix = (ctx: Viewer, orderId: string, since: Date): Promise<LastFix | undefined> =>
  firstRow<LastFix>(ctx.tx)`
    select l.lat_e7 / 1e7::float8 as lat, l.lon_e7 / 1e7::float8 as lon, coalesce(l.accuracy_m, 0)::float8 as "accuracyM"
    from devices d join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    cross join lateral (select d.id in ${vehicleDevicesSql(ctx, orderId)} as is_vehicle) v
    where ${visibleSql(ctx)} and l.lat_e7 is not null and l.position_at >= ${since} and ${isShownSql('d', 'l.position_at')}
      and (v.is_vehicle or exists (select from order_devices m
        where m.company_id = d.company_id and m.order_id = ${orderId}::int8 and m.device_id = d.id))
    order by v.is_vehicle desc, l.position_at desc limit 1`

interface StayRow {
  accuracy: number | null
  openings: number | null
}

/** Up to this far from the arrival a fix still says how well the place was known. */
const nearMs = 15 * 60_000
/** In a closed hold it is darker than this, lux. */
const darkLux = 10

/** The radius of the fix nearest to the beginning of a stay, and how often it became light, by the devices of the order that the reader sees. */
export async function stayOf(ctx: Viewer, orderId: string, from: Date, to: Date): Promise<StayRow> {
  const before = new Date(from.getTime() - nearMs)
  const after = new Date(from.getTime() + nearMs)
  const row = await firstRow<StayRow>(ctx.tx)`
    with seen as (select d.id, d.licence_until from orders o
      cross join lateral (select d.* from order_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
        where m.company_id = o.company_id and m.order_id = o.id and ${visibleSql(ctx)}) d
      where o.company_id = ${ctx.companyId} and o.id = ${orderId}::int8),
    placed as (select * from seen
      union select d.id, d.licence_until from devices d where ${visibleSql(ctx)} and d.id in ${vehicleDevicesSql(ctx, orderId)})
    select
      (select nullif(${sql.raw(fixAccuracySql('r.extra'))}, 0) from readings r join placed d on d.id = r.device_id
        where r.company_id = ${ctx.companyId} and r.measured_at between ${before} and ${after} and r.lat_e7 is not null
          and ${isShownSql('d', 'r.measured_at')}
        order by abs(extract(epoch from r.measured_at - ${from}::timestamptz)), r.device_id limit 1) as accuracy,
      (select sum((l.light >= ${darkLux} and l.before < ${darkLux})::int)::int from (
        select r.light_lux as light, lag(r.light_lux) over (partition by r.device_id order by r.measured_at) as before
        from readings r join seen d on d.id = r.device_id
        where r.company_id = ${ctx.companyId} and r.measured_at between ${from} and ${to} and r.light_lux is not null
          and ${isShownSql('d', 'r.measured_at')}) l) as openings`
  return row ?? { accuracy: null, openings: null }
}

export interface HandOverRow {
  receiver_id: string
  receiver: string
  outcome: string
  reservation: string | null
  reason: string | null
  signer_name: string | null
  signer_role: string | null
  occurred_at: Date
  recorded_at: Date
  content_sha256: Buffer
  signature_key: string | null
  signature_sha256: Buffer | null
  receipt_key: string | null
  receipt_sha256: Buffer | null
  void_at: Date | null
  void_reason: string | null
  photos: { key: string; type: string; sha256: string }[]
}

/** The hand-overs of an order as they happened, void ones included. */
export const handOversOf = ({ tx, companyId }: TenantTx, orderId: string): Promise<HandOverRow[]> =>
  allRows<HandOverRow>(tx)`
    select h.receiver_id, r.name as receiver, h.outcome, h.reservation, h.reason, h.signer_name, h.signer_role, h.occurred_at,
      h.recorded_at, h.content_sha256, h.signature_key, h.signature_sha256, h.receipt_key, h.receipt_sha256, h.void_at, h.void_reason,
      coalesce((select jsonb_agg(jsonb_build_object('key', p.file_key, 'type', p.type, 'sha256', encode(p.sha256, 'hex')) order by p.id)
        from handover_photos p where p.company_id = h.company_id and p.handover_id = h.id), '[]') as photos
    from handovers h join order_receivers r on r.company_id = h.company_id and r.id = h.receiver_id
    where h.company_id = ${companyId} and h.order_id = ${orderId}::int8 order by h.occurred_at, h.id`
