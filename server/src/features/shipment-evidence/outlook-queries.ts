import type { LegRow, ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { countedDevicesSql, seenDevicesSql } from '../../core/shipments/shipment-state-sql.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

export interface Measured {
  /** Null: never. */
  at: Date | null
  ms: number
}

/** Up to when the devices of a shipment that the person sees have told temperatures since its start, and how long the readings of one held at most. */
export async function measuredUntil(ctx: Viewer, shipmentId: string): Promise<Measured> {
  const row = await firstRow<Measured>(ctx.tx)`
    select max(least(l.temperature_at, d.until)) as at, coalesce(max(h.ms), 0)::float8 as ms from shipments s
    cross join lateral ${countedDevicesSql(ctx)} d
    join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    cross join lateral (select sum(r.temperature_covered_ms) as ms from readings_hourly r
      where r.company_id = d.company_id and r.device_id = d.id and r.bucket >= d.since and r.bucket <= d.until and ${isShownSql('d', 'r.bucket')}) h
    where s.company_id = ${ctx.companyId} and s.id = ${shipmentId}::int8 and l.temperature_at >= d.since
      and ${isShownSql('d', 'l.temperature_at')}`
  return row ?? { at: null, ms: 0 }
}

/** So many legs or shipments of the past are looked at, and so far back. */
const maxPast = 20
const pastDays = 400

export interface PastLeg {
  /** Later than planned, ms: all in all, and on the way alone. */
  late: number
  slow: number
}

/** The legs that have arrived between the same places by the same mode, the newest first. */
export const pastLegs = (ctx: Viewer, { id, mode, ...leg }: LegRow): Promise<PastLeg[]> =>
  allRows<PastLeg>(ctx.tx)`
    select (extract(epoch from l.ata - l.planned_eta) * 1000)::float8 as late,
      (extract(epoch from (l.ata - l.atd) - (l.planned_eta - coalesce(l.planned_etd, l.atd))) * 1000)::float8 as slow
    from shipment_legs l
    where l.company_id = ${ctx.companyId} and l.id <> ${id}::int8 and l.mode = ${mode} and l.ata > l.atd and l.planned_eta is not null
      and l.rolled_at is null and l.ata > ${ctx.clock.now()}::timestamptz - ${pastDays} * interval '24 hours'
      and coalesce(l.from_port, lower(l.from_name)) = coalesce(${leg.from_port}, lower(${leg.from_name}))
      and coalesce(l.to_port, lower(l.to_name)) = coalesce(${leg.to_port}, lower(${leg.to_name}))
    order by l.ata desc limit ${maxPast}`

export interface PastUse {
  above: number
  below: number
}

/**
 * The shares of their hours in which earlier shipments of the lane were out of two temperatures (hundredths) by the devices that the person sees:
 * an hour with a moment out of them counts whole.
 */
export const pastUse = (
  ctx: Viewer,
  shipment: ShipmentRow,
  { above, below }: { above: number | null; below: number | null },
): Promise<PastUse[]> =>
  allRows<PastUse>(ctx.tx)`
    select count(distinct h.bucket) filter (where h.temperature_max_centi > ${above}::int4)::float8 / count(distinct h.bucket) as above,
      count(distinct h.bucket) filter (where h.temperature_min_centi < ${below}::int4)::float8 / count(distinct h.bucket) as below
    from (select p.* from shipments p where p.company_id = ${ctx.companyId} and p.state = 'completed' and p.id <> ${shipment.id}::int8
        and p.origin_id = ${shipment.origin_id}::int8 and p.destination_id = ${shipment.destination_id}::int8
        and p.ended_at > ${ctx.clock.now()}::timestamptz - ${pastDays} * interval '24 hours'
      order by p.ended_at desc limit ${maxPast}) s
    cross join lateral ${countedDevicesSql(ctx)} d
    join readings_hourly h on h.company_id = d.company_id and h.device_id = d.id and h.bucket >= d.since and h.bucket < d.until
      and h.temperature_n > 0 and ${isShownSql('d', 'h.bucket')}
    group by s.id`

/** Whether the person sees every device of a shipment: then the budget of its record is theirs to see. */
export const seesAllDevices = async (ctx: Viewer, shipmentId: string): Promise<boolean> =>
  (
    await firstRow<{ all: boolean }>(ctx.tx)`
      select (select count(*) from shipment_devices x where x.company_id = s.company_id and x.shipment_id = s.id)
        = (select count(*) from ${seenDevicesSql(ctx)}) as all
      from shipments s where s.company_id = ${ctx.companyId} and s.id = ${shipmentId}::int8`
  )?.all ?? false
