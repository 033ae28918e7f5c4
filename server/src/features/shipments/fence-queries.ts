import type { ShipmentEnd } from '@isotherm/contract/shipments.ts'
import { fixAccuracySql } from '../../core/devices/fix-accuracy.ts'
import type { Client } from '../../platform/db/pool.ts'

/** A shipment whose devices are watched. */
export interface WatchedShipment {
  companyId: number
  id: string
  state: 'pending' | 'ongoing'
  /** Up to when its fixes were looked at; null: never. */
  seenAt: Date | null
  since: Date
  origin: ShipmentEnd
  destination: ShipmentEnd
  /** The port that its present leg leads to, where a circle around its terminal is known; null: none. */
  port: WatchedPort | null
}

/** The end of a leg by sea or air that has departed and not arrived. */
export interface WatchedPort {
  legId: string
  lat: number
  lon: number
  radiusM: number
  /** When the leg departed, in ms since 1970. */
  departed: number
}

/** Whether one that is pending may be started by its devices at $1: its departure is planned, and not more than a week away. */
const opensSql = `exists (select from shipment_legs l where l.company_id = s.company_id and l.shipment_id = s.id
    and l.rolled_at is null and l.etd between $1::timestamptz - interval '7 days' and $1::timestamptz + interval '7 days')
  or s.departure_on between ($1::timestamptz - interval '7 days')::date and ($1::timestamptz + interval '7 days')::date`

/** The port that the present leg of a shipment leads to. */
const portSql = `select json_build_object('legId', l.id::text, 'lat', p.lat, 'lon', p.lon, 'radiusM', p.radius_m,
    'departed', (extract(epoch from l.atd) * 1000)::float8) as port
  from shipment_legs l join ports p on p.kind = l.mode and p.code = l.to_port
  where l.company_id = s.company_id and l.shipment_id = s.id and s.state = 'ongoing' and l.rolled_at is null
    and l.atd is not null and l.ata is null and p.radius_m is not null and p.lat is not null and p.lon is not null
  order by l.sequence limit 1`

/**
 * Whether a device `m` of a shipment `s` has told a position since it was looked for. One that was taken off tells more where it uploads what
 * it kept of before, from $3 on; what it does since then is nothing of the shipment.
 */
const hasToldSql = `exists (select from device_latest l where l.company_id = m.company_id and l.device_id = m.device_id
    and l.position_at > coalesce(s.fences_seen_at, '-infinity'))
  and (m.left_at is null or exists (select from readings r where r.company_id = m.company_id and r.device_id = m.device_id
    and r.measured_at > greatest(s.fences_seen_at, s.started_at, m.joined_at, $3::timestamptz) and r.measured_at <= m.left_at
    and r.lat_e7 is not null and r.lon_e7 is not null))`

/**
 * Shipments under way, or about to be, with a fence or a port before them, whose devices have told a position since it was looked for; those
 * that waited longest first. `oldest`: positions of before say nothing new. `isLate`: all that have told one, for positions that came late.
 */
export async function watchedShipments(
  client: Client,
  { now, oldest, limit, isLate }: { now: Date; oldest: Date; limit: number; isLate: boolean },
): Promise<WatchedShipment[]> {
  const { rows } = await client.query<WatchedShipment>(
    `select s.company_id as "companyId", s.id, s.state, s.fences_seen_at as "seenAt",
       coalesce(s.started_at, s.created_at) as since, s.origin, s.destination, next.port
     from shipments s left join lateral (${portSql}) next on true where s.state in ('pending', 'ongoing')
       and case s.state when 'ongoing' then s.destination ->> 'radiusM' is not null or next.port is not null
         else s.origin ->> 'radiusM' is not null and (${opensSql}) end
       and exists (select from shipment_devices m where m.company_id = s.company_id and m.shipment_id = s.id and ($4 or ${hasToldSql}))
     order by s.fences_seen_at nulls first, s.company_id, s.id limit $2`,
    [now, limit, oldest, isLate],
  )
  return rows
}

export interface ShipmentFix {
  shipment: string
  deviceId: number
  at: number
  lat: number
  lon: number
  accuracyM: number
}

/** The fixes of shipments' devices from an instant each on, by device and time. */
export async function shipmentFixes(
  client: Client,
  shipments: readonly { companyId: number; id: string; from: Date }[],
  now: Date,
): Promise<ShipmentFix[]> {
  const { rows } = await client.query<ShipmentFix>(
    `select w.company_id || ':' || w.id as shipment, r.device_id as "deviceId",
       (extract(epoch from r.measured_at) * 1000)::float8 as at, r.lat_e7 / 1e7::float8 as lat, r.lon_e7 / 1e7::float8 as lon,
       ${fixAccuracySql('r.extra')} as "accuracyM"
     from unnest($1::int4[], $2::int8[], $3::timestamptz[]) as w (company_id, id, since)
     join shipment_devices m on m.company_id = w.company_id and m.shipment_id = w.id
     join readings r on r.company_id = m.company_id and r.device_id = m.device_id
       and r.measured_at >= greatest(w.since, m.joined_at) and r.measured_at <= least($4, m.left_at) and r.lat_e7 is not null and r.lon_e7 is not null
     order by r.device_id, r.measured_at`,
    [
      shipments.map(({ companyId }) => companyId),
      shipments.map(({ id }) => id),
      shipments.map(({ from }) => from),
      now,
    ],
  )
  return rows
}
