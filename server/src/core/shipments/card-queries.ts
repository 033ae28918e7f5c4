import { sql } from 'kysely'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { visibleSql } from '../devices/visible-devices.ts'
import { isShownSql } from '../visibility/visibility.ts'
import {
  currentLegSql,
  excursionWithinSql,
  isLateSql,
  lastLegSql,
  seenDevicesSql,
  untilSql,
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
  devices: number
}

/** The cards of shipments, in no order. */
export const cardsOf = (ctx: Viewer, ids: readonly string[]): Promise<ShipmentCard[]> =>
  allRows<ShipmentCard>(ctx.tx)`
    select s.id, s.loading_on::text, s.departure_on::text, c.mode, c.carrier_name as carrier,
      c.vessel_name as vessel, c.flight_number as flight,
      c.container_no as container, c.awb, c.etd, z.eta, z.to_zone as eta_zone, ${isLateSql(ctx.clock.now())} as is_late,
      n.seen_devices, n.devices
    from shipments s
    left join lateral ${currentLegSql} c on true
    left join lateral ${lastLegSql} z on true
    cross join lateral (select count(*)::int as devices, count(*) filter (where ${visibleSql(ctx)})::int as seen_devices
      from shipment_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
      where m.company_id = s.company_id and m.shipment_id = s.id) n
    where s.company_id = ${ctx.companyId} and s.id = any(${ids}::int8[])`

/** The evidence on a shipment by the devices that a person sees. */
export interface ShipmentEvidence {
  id: string
  has_excursion: boolean
  is_measured: boolean
  is_limited: boolean
  is_complete: boolean
}

/** The evidence on shipments that have started, of those with devices that the person sees: by their excursions and by whole hours. */
export function evidenceOf(ctx: Viewer, ids: readonly string[]): Promise<ShipmentEvidence[]> {
  const now = ctx.clock.now()
  const until = untilSql(now)
  const end = sql`least(${until}, l.measured_at)`
  return allRows<ShipmentEvidence>(ctx.tx)`
    select s.id, bool_or(e.found) as has_excursion, bool_or(h.hours > 0) as is_measured, bool_and(n.found) as is_limited,
      bool_and(coalesce(h.covered >= extract(epoch from date_trunc('hour', ${end}) - c.first) * 1000
        and l.measured_at >= ${until} - 3 * d.interval_s * interval '1 second', false)) as is_complete
    from shipments s
    cross join lateral (select d.* from ${seenDevicesSql(ctx)}) d
    cross join lateral (select date_trunc('hour', s.started_at + interval '1 hour') as first) c
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    cross join lateral (select exists (select from excursions e where ${excursionWithinSql(now)}) as found) e
    cross join lateral (select count(*) as hours,
        coalesce(sum(r.temperature_covered_ms) filter (where r.bucket >= c.first and r.bucket < date_trunc('hour', ${end})), 0) as covered
      from readings_hourly r where r.company_id = d.company_id and r.device_id = d.id
        and r.bucket >= date_trunc('hour', s.started_at) and r.bucket <= ${until} and ${isShownSql('d', 'r.bucket')}) h
    cross join lateral (select exists (select from device_limits n where n.company_id = d.company_id and n.device_id = d.id
      and n.valid_from <= ${until}
      and coalesce(n.temperature_min_centi, n.temperature_max_centi, n.humidity_min_centi, n.humidity_max_centi) is not null) as found) n
    where s.company_id = ${ctx.companyId} and s.id = any(${ids}::int8[]) and s.started_at is not null
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
  /** The shipment is over, and the device has gone on no other one and no order since. */
  is_left_behind: boolean
  /** Its limits now, or when the shipment ended: hundredths of a degree. */
  min_centi: number | null
  max_centi: number | null
}

/** The devices of a shipment that the person may see. */
export const seenDevicesOf = (ctx: Viewer, id: string): Promise<NamedShipmentDevice[]> =>
  allRows<NamedShipmentDevice>(ctx.tx)`
    select m.device_id, d.name, a.imei, m.place, m.pallet_ref, m.sscc, m.sscc_unchecked,
      n.temperature_min_centi as min_centi, n.temperature_max_centi as max_centi, (s.started_at is not null
      and s.state in ('completed', 'cancelled') and d.decommissioned_at is null and not exists (
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
      and n.valid_from <= coalesce(s.ended_at, s.cancelled_at, ${ctx.clock.now()}) order by n.valid_from desc limit 1) n on true
    where m.company_id = ${ctx.companyId} and m.shipment_id = ${id}::int8 and ${visibleSql(ctx)}
    order by (m.place !~ '^pulp') desc, length(m.place), m.place, lower(d.name), d.id`

/** Those of some devices that the person may see. */
export const seenAmong = async (ctx: Viewer, ids: readonly number[]): Promise<Set<number>> =>
  new Set(
    (
      await allRows<{ id: number }>(ctx.tx)`
        select d.id from devices d where ${visibleSql(ctx)} and d.id = any(${ids}::int4[])`
    ).map(({ id }) => id),
  )
