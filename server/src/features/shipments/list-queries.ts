import type { ShipmentQuery, ShipmentSelection } from '@isotherm/contract/shipment-calls.ts'
import { shipmentStates } from '@isotherm/contract/shipments.ts'
import { plateKey } from '@isotherm/contract/vehicles.ts'
import { type RawBuilder, sql } from 'kysely'
import { isOpenSql } from '../../core/devices/excursion-sql.ts'
import { statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import {
  attentionSql,
  currentLegSql,
  isLateSql,
  lastLegSql,
  onSinceSql,
  seenDevicesSql,
} from '../../core/shipments/shipment-state-sql.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import { readShipmentNumber } from '../../domain/shipment-number.ts'
import type { Viewer } from '../../platform/context.ts'
import {
  allRows,
  countFilters,
  countRows,
  type Filter,
  chosenSql as filteredSql,
  orderOf,
  pageOfRows,
  valuesOf,
} from '../../platform/db/rows.ts'
import { containing, signsSql } from '../../platform/db/search.ts'

const columns: Record<string, RawBuilder<unknown>> = {
  createdAt: sql`s.created_at`,
  eta: sql`(select z.eta from ${lastLegSql} z)`,
  etd: sql`(select z.etd from ${currentLegSql} z)`,
  product: sql`lower(s.product)`,
  reference: sql`lower(s.reference)`,
  destination: sql`lower(s.destination ->> 'name')`,
}

/** A shipment `s` that a text finds: by its number, or a part of what stands on it or its legs. */
function searchSql(search: string | undefined): RawBuilder<boolean> {
  if (!search) return sql<boolean>`true`
  const number = readShipmentNumber(search)
  // A reference may look like a number of ours.
  if (number !== null)
    return sql<boolean>`(s.number = ${number} or ${signsSql(sql`s.reference`)} = ${plateKey(search)})`
  const pattern = containing(search)
  const code = containing(
    search
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .replace(/^IMO(?=\d)/, ''),
  )
  const signs = containing(plateKey(search))
  return sql<boolean>`(s.reference ilike ${pattern} or (${signs} <> '%%' and ${signsSql(sql`s.reference`)} like ${signs}) or s.tracking_number ilike ${pattern} or s.product ilike ${pattern} or s.origin ->> 'name' ilike ${pattern}
    or (${code} <> '%%' and s.gtin like ${code}) or s.destination ->> 'name' ilike ${pattern} or s.partner ->> 'companyName' ilike ${pattern} or s.lot ilike ${pattern}
    or (s.further_products <> '[]' and exists (select from jsonb_array_elements(s.further_products) f
      where f ->> 'product' ilike ${pattern} or (${code} <> '%%' and f ->> 'gtin' like ${code})))
    or exists (select from shipment_legs g where g.company_id = s.company_id and g.shipment_id = s.id
      and (g.vessel_name ilike ${pattern} or g.house_awb ilike ${pattern} or g.booking_number ilike ${pattern}
        or (${code} <> '%%' and (g.container_no like ${code} or g.imo like ${code} or g.awb like ${code} or g.flight_number like ${code})))))`
}

type Chosen = Pick<ShipmentSelection, 'search' | 'filter' | 'attention'>

const foundSql = ({ companyId }: Viewer, search: string | undefined) =>
  sql`shipments s where s.company_id = ${companyId} and ${searchSql(search)}`
const filtersOf = ({ clock }: Viewer, { filter, attention }: Chosen): Record<string, Filter> => ({
  filter: { options: valuesOf('s.state', shipmentStates), chosen: filter },
  attention: { options: attentionSql(clock.now()), chosen: attention },
})
const chosenSql = (ctx: Viewer, chosen: Chosen) =>
  sql`${foundSql(ctx, chosen.search)} and ${filteredSql(filtersOf(ctx, chosen))}`

/** A page of the shipments that somebody asks for, and how many there are in all. */
export function pageOfShipments(ctx: Viewer, query: ShipmentQuery): Promise<{ rows: ShipmentRow[]; total: number }> {
  const direction = query.sort.startsWith('-') ? 'desc' : 'asc'
  const order = sql`${orderOf(columns, query.sort)} nulls last, s.id ${sql.raw(direction)}`
  return pageOfRows<ShipmentRow>(ctx.tx, query, { columns: sql`s.*`, from: chosenSql(ctx, query), order })
}

/** How many shipments each filter would leave. */
export const shipmentCounts = (ctx: Viewer, chosen: Chosen) =>
  countFilters(ctx.tx, foundSql(ctx, chosen.search), filtersOf(ctx, chosen))

export interface StatusRow {
  id: number
  name: string
  status: string
  shipments: { id: string; number: number }[]
}

/** So many devices at most: none of a company has more under way. */
const maxDevices = 2_000

/** The devices of the shipments that are left, each once, that the person sees; none that was taken off. */
export const devicesOf = (ctx: Viewer, chosen: Chosen): Promise<StatusRow[]> =>
  allRows<StatusRow>(ctx.tx)`
    select d.id, d.name, ${statusSql(ctx.clock.now())} as status, w.shipments
    from (select m.device_id, json_agg(json_build_object('id', s.id::text, 'number', s.number) order by s.id desc) as shipments
      from (select s.* from ${chosenSql(ctx, chosen)}) s
      join shipment_devices m on m.company_id = s.company_id and m.shipment_id = s.id and m.left_at is null
      group by m.device_id) w
    join devices d on d.id = w.device_id
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    where ${visibleSql(ctx)} order by lower(d.name), d.id limit ${maxDevices}`

/** How many devices these shipments have in all. */
export const countDevices = (ctx: Viewer, chosen: Chosen): Promise<number> =>
  countRows(ctx.tx)`
    select count(distinct m.device_id)::int as n from (select s.* from ${chosenSql(ctx, chosen)}) s
    join shipment_devices m on m.company_id = s.company_id and m.shipment_id = s.id and m.left_at is null`

export interface MapRow extends ShipmentRow {
  is_late: boolean
  eta: Date | null
  eta_zone: string | null
  device_id: number | null
  lat: number | null
  lon: number | null
  at: Date | null
  temperature_centi: number | null
}

/** The sides on which shipments under way are out of range now, by their ids; it begins at the few open excursions of the company. */
export async function sidesOutside(ctx: Viewer): Promise<Map<string, 'above' | 'below'>> {
  const rows = await allRows<{ id: string; side: 'above' | 'below' }>(ctx.tx)`
    select s.id, min(e.side) as side from excursions e
    join devices d on d.company_id = e.company_id and d.id = e.device_id
    join shipment_devices m on m.company_id = d.company_id and m.device_id = d.id
    join shipments s on s.company_id = m.company_id and s.id = m.shipment_id
    where e.company_id = ${ctx.companyId} and ${isOpenSql(ctx.clock.now())} and e.measure = 'temperature' and ${visibleSql(ctx)}
      and ${isShownSql('d', 'e.start_at')} and s.state = 'ongoing' and e.last_at >= ${onSinceSql} and m.left_at is null
    group by s.id`
  return new Map(rows.map(({ id, side }) => [id, side]))
}

/** So many marks are told apart on a map. */
const maxMarks = 500

/** Shipments under way with the newest position of any device that the person sees. */
export async function mapRows(ctx: Viewer): Promise<{ rows: MapRow[]; total: number }> {
  const rows = await allRows<MapRow>(ctx.tx)`
    select s.*, ${isLateSql(ctx.clock.now())} as is_late, z.eta, z.to_zone as eta_zone, p.*
    from shipments s
    left join lateral ${lastLegSql} z on true
    left join lateral (select l.device_id, l.lat_e7 / 1e7::float8 as lat, l.lon_e7 / 1e7::float8 as lon, l.position_at as at,
        case when ${isShownSql('d', 'l.temperature_at')} then l.temperature_centi end as temperature_centi
      from (select d.*, ${onSinceSql} as since from ${seenDevicesSql(ctx)} and m.left_at is null) d
      join device_latest l on l.company_id = d.company_id and l.device_id = d.id
      where l.lat_e7 is not null and l.position_at >= d.since and ${isShownSql('d', 'l.position_at')}
      order by l.position_at desc limit 1) p on true
    where s.company_id = ${ctx.companyId} and s.state = 'ongoing' order by s.id desc limit ${maxMarks}`
  const total = await countRows(ctx.tx)`
    select count(*)::int as n from shipments where company_id = ${ctx.companyId} and state = 'ongoing'`
  return { rows, total }
}
