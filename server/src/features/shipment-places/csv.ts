import type { ShipmentPlaceFilter } from '@isotherm/contract/shipment-places.ts'
import type { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { allPlaces, type PlaceKind } from './queries.ts'

const columns = [
  ...['name', 'region', 'country', 'person_of_contact', 'company', 'address'],
  ...['lat', 'lon', 'radius_m', 'time_zone', 'ports', 'gln'],
]

/** origins.csv or destinations.csv: a line per place that the search finds; ports by their codes. */
export async function placesCsv(ctx: Context, kind: PlaceKind, query: z.output<typeof ShipmentPlaceFilter>) {
  const rows = await allPlaces(ctx, kind, query)
  const after = { count: rows.length }
  ctx.audit(kind === 'origin' ? { action: 'origins.exported', after } : { action: 'destinations.exported', after })
  const lines = rows.map((row) => [
    ...[row.name, row.region, row.country, row.person_of_contact, row.company_name, row.address],
    ...[row.lat, row.lon, row.radius_m, row.zone, row.ports.map(({ code }) => code).join(' '), row.gln],
  ])
  return listCsv(`${kind}s.csv`, columns, lines)
}
