import { FenceArea, FenceColour, type Geofence, type PointOfInterest } from '@isotherm/contract/places.ts'
import { areaM2 } from '../../domain/fences.ts'
import type { GeofenceRow, PointRow } from './queries.ts'

export function presentGeofence(row: GeofenceRow): Geofence {
  const area = FenceArea.parse(row.area)
  return {
    id: row.id,
    name: row.name,
    colour: FenceColour.parse(row.colour),
    area,
    notify: { in: row.notify_in, out: row.notify_out },
    areaKm2: Math.round(areaM2(area)) / 1e6,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  }
}

export const presentPoint = (row: PointRow): PointOfInterest => ({
  id: row.id,
  name: row.name,
  position: { lat: row.lat_e7 / 1e7, lon: row.lon_e7 / 1e7 },
  radiusM: row.radius_m,
  notify: { in: row.notify_in, out: row.notify_out },
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
})

/** The audit snapshot of a geofence. */
export function auditedGeofence(row: GeofenceRow) {
  const { id, createdAt, updatedAt, version, ...kept } = presentGeofence(row)
  return kept
}

/** The audit snapshot of a point of interest. */
export function auditedPoint(row: PointRow) {
  const { id, createdAt, updatedAt, version, ...kept } = presentPoint(row)
  return kept
}
