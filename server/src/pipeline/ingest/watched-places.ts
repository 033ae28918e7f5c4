import type { FenceArea } from '@isotherm/contract/places.ts'
import type { WatchedPlace } from '../../domain/place-crossings.ts'
import type { Client } from '../../platform/db/pool.ts'

const sql = `
select company_id as "companyId", 'g' || id as key, name, area, notify_in as "in", notify_out as "out",
  (extract(epoch from updated_at) * 1000)::float8 as "from"
from geofences where company_id = any($1::int4[]) and (notify_in or notify_out)
union all
select company_id, 'p' || id, name, jsonb_build_object('kind', 'circle', 'radiusM', radius_m,
  'centre', jsonb_build_object('lat', lat_e7 / 1e7, 'lon', lon_e7 / 1e7)), notify_in, notify_out,
  (extract(epoch from updated_at) * 1000)::float8
from points_of_interest where company_id = any($1::int4[]) and (notify_in or notify_out)`

type PlaceRow = Omit<WatchedPlace, 'fence'> & { companyId: number; key: string; name: string; area: FenceArea }

/** The places whose crossing is told, by company: one list for all its devices. */
export async function readWatchedPlaces(
  client: Client,
  companyIds: ReadonlySet<number>,
): Promise<Map<number, WatchedPlace[]>> {
  const places = new Map<number, WatchedPlace[]>([...companyIds].map((companyId) => [companyId, []]))
  if (companyIds.size === 0) return places
  const values = [[...companyIds]]
  const { rows } = await client.query<PlaceRow>({ name: 'read_watched_places', text: sql, values })
  for (const { companyId, key, name, area, ...flags } of rows) {
    const known = places.get(companyId) ?? []
    known.push({ fence: { key, name, area }, ...flags })
    places.set(companyId, known)
  }
  return places
}
