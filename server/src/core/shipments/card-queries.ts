import { sql } from 'kysely'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { holdText } from '../devices/joining-sql.ts'
import { briefSql, outOfRangeSql, statusSql } from '../devices/status-sql.ts'
import { visibleSql } from '../devices/visible-devices.ts'
import { isShownSql } from '../visibility/visibility.ts'
import {
  countedDevicesSql,
  countedSinceSql,
  currentLegSql,
  excursionWithinSql,
  isAttendedSql,
  isLateSql,
  lastLegSql,
  onUntilSql,
  placeOrderText,
} from './shipment-state-sql.ts'

/** The facts that lists tell of a shipment beside its own row. */
export interface ShipmentCard {
  id: string
  loading_on: string | null
  departure_on: string | null
  mode: string | null
  carrier: string | null
  vessel: string | null
  flight: string | null
  container: string | null
  awb: string | null
  etd: Date | null
  eta: Date | null
  eta_zone: string | null
  is_late: boolean
  seen_devices: number
  hidden_devices: number
  /** So many of the devices on a shipment under way that the person sees are each of these now; null: it is not under way. */
  devices_now: { inRange: number; outOfRange: number; silent: number } | null
}

/** The cards of shipments, in no order. */
export const cardsOf = (ctx: Viewer, ids: readonly string[]): Promise<ShipmentCard[]> =>
  allRows<ShipmentCard>(ctx.tx)`
    select s.id, s.loading_on::text, s.departure_on::text, c.mode, c.carrier_name as carrier,
      c.vessel_name as vessel, c.flight_number as flight,
      c.container_no as container, c.awb, c.etd, z.eta, z.to_zone as eta_zone, ${isLateSql(ctx.clock.now())} as is_late,
      n.seen_devices, n.hidden_devices, n.devices_now
    from shipments s
    left join lateral ${currentLegSql} c on true
    left join lateral ${lastLegSql} z on true
    cross join lateral (select count(*) filter (where not w.is_seen)::int as hidden_devices,
        count(*) filter (where w.is_on)::int as seen_devices,
        case when s.state = 'ongoing' then json_build_object('inRange', count(*) filter (where w.is_on and ${briefSql.inRange}),
          'outOfRange', count(*) filter (where w.is_on and ${briefSql.outOfRange}),
          'silent', count(*) filter (where w.is_on and ${briefSql.silent})) end as devices_now
      from (select ${visibleSql(ctx)} as is_seen, ${visibleSql(ctx)} and m.left_at is null as is_on,
          ${statusSql(ctx.clock.now())} as status, ${outOfRangeSql(ctx)} as out_of_range
        from shipment_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
        left join device_latest l on s.state = 'ongoing' and l.company_id = d.company_id and l.device_id = d.id
        where m.company_id = s.company_id and m.shipment_id = s.id) w) n
    where s.company_id = ${ctx.companyId} and s.id = any(${ids}::int8[])`

/** The evidence on a shipment by the devices that a person sees. */
export interface ShipmentEvidence {
  id: string
  has_excursion: boolean
  is_measured: boolean
  /** A device had limits at some time. */
  is_limited: boolean
  /** Every device was measured and had limits all the time, and there was one at each moment. */
  is_complete: boolean
}

const hasLimitsSql = sql<boolean>`coalesce(n.temperature_min_centi, n.temperature_max_centi, n.humidity_min_centi,
  n.humidity_max_centi) is not null`

/** How long the last reading of a device held, as its interval was then. */
const heldSql = sql.raw(holdText({ row: 'd', id: 'id' }, 'l.measured_at'))

/** The evidence on shipments that have started, of those with devices that the person sees: by their excursions and by whole hours. */
export function evidenceOf(ctx: Viewer, ids: readonly string[]): Promise<ShipmentEvidence[]> {
  const end = sql`least(d.until, l.measured_at)`
  return allRows<ShipmentEvidence>(ctx.tx)`
    select s.id, bool_or(e.found) as has_excursion, bool_or(h.hours > 0) as is_measured, bool_or(n.at_all) as is_limited,
      bool_and(s.is_attended and n.always and coalesce(h.covered >= extract(epoch from date_trunc('hour', ${end}) - c.first) * 1000
        and l.measured_at >= d.until - ${heldSql}, false)) as is_complete
    from (select s.*, ${isAttendedSql(ctx)} as is_attended from shipments s
      where s.company_id = ${ctx.companyId} and s.id = any(${ids}::int8[]) and s.started_at is not null offset 0) s
    cross join lateral ${countedDevicesSql(ctx)} d
    cross join lateral (select date_trunc('hour', d.since + interval '1 hour') as first) c
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    cross join lateral (select exists (select from excursions e where ${excursionWithinSql}) as found) e
    cross join lateral (select count(*) as hours,
        coalesce(sum(r.temperature_covered_ms) filter (where r.bucket >= c.first and r.bucket < date_trunc('hour', ${end})), 0) as covered
      from readings_hourly r where r.company_id = d.company_id and r.device_id = d.id
        and r.bucket >= date_trunc('hour', d.since) and r.bucket <= d.until and ${isShownSql('d', 'r.bucket')}) h
    cross join lateral (select coalesce(bool_or(${hasLimitsSql}), false) as at_all,
        coalesce(bool_and(${hasLimitsSql}) and min(n.valid_from) <= d.since, false) as always
      from (select n.*, lead(n.valid_from) over (order by n.valid_from) as valid_to from device_limits n
        where n.company_id = d.company_id and n.device_id = d.id and n.valid_from <= d.until) n
      where n.valid_to is null or n.valid_to > d.since) n
    group by s.id`
}

/** A device of a shipment with the hardware that it has now, or had last. */
export interface NamedShipmentDevice {
  device_id: number
  name: string
  imei: string | null
  place: string
  pallet_ref: string | null
  sscc: string | null
  sscc_unchecked: boolean
  /** When it joined the shipment under way, and when it was taken off; null: it did not, and it was not. */
  joined_at: Date | null
  left_at: Date | null
  /** The time that counts of it on a shipment that has started. */
  since: Date
  until: Date
  /** The shipment is over, and the device has gone on no other one and no order since. */
  is_left_behind: boolean
  /** Its limits now, or when the shipment ended: hundredths of a degree. */
  min_centi: number | null
  max_centi: number | null
}

/** The devices of a shipment that the person may see; those that were taken off under way come last. */
export const seenDevicesOf = (ctx: Viewer, id: string): Promise<NamedShipmentDevice[]> =>
  allRows<NamedShipmentDevice>(ctx.tx)`
    select m.device_id, d.name, a.imei, m.place, m.pallet_ref, m.sscc, m.sscc_unchecked, m.joined_at, m.left_at,
      ${countedSinceSql} as since, ${onUntilSql(ctx.clock.now())} as until,
      n.temperature_min_centi as min_centi, n.temperature_max_centi as max_centi, (s.started_at is not null
      and s.state in ('completed', 'cancelled') and m.left_at is null and d.decommissioned_at is null and not exists (
        select from shipment_devices o join shipments later on later.company_id = o.company_id and later.id = o.shipment_id
        where o.company_id = m.company_id and o.device_id = m.device_id and later.id <> s.id
          and later.started_at >= coalesce(s.ended_at, s.cancelled_at)) and not exists (
        select from order_devices o join orders later on later.company_id = o.company_id and later.id = o.order_id
        where o.company_id = m.company_id and o.device_id = m.device_id
          and later.started_at >= coalesce(s.ended_at, s.cancelled_at))) as is_left_behind
    from shipment_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    join shipments s on s.company_id = m.company_id and s.id = m.shipment_id
    left join lateral (select imei from assignments a where a.company_id = d.company_id and a.device_id = d.id
      order by a.valid_from desc limit 1) a on true
    left join lateral (select * from device_limits n where n.company_id = d.company_id and n.device_id = d.id
      and n.valid_from <= ${onUntilSql(ctx.clock.now())} order by n.valid_from desc limit 1) n on true
    where m.company_id = ${ctx.companyId} and m.shipment_id = ${id}::int8 and ${visibleSql(ctx)}
    order by m.left_at is not null, ${sql.raw(placeOrderText('m'))}, lower(d.name), d.id`

/** The names of those of some devices that the person may see, by id. */
export const namesOfSeen = async (ctx: Viewer, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (
      await allRows<{ id: number; name: string }>(ctx.tx)`
        select d.id, d.name from devices d where ${visibleSql(ctx)} and d.id = any(${ids}::int4[])`
    ).map(({ id, name }) => [id, name]),
  )
