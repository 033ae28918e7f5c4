import { PortType } from '@isotherm/contract/ports.ts'
import type { ShipmentPlace } from '@isotherm/contract/shipment-places.ts'
import type { PlaceKind, PlaceRow } from './queries.ts'

export const presentPlace = (row: PlaceRow): ShipmentPlace => ({
  id: row.id,
  name: row.name,
  region: row.region,
  country: row.country,
  personOfContact: row.person_of_contact,
  companyName: row.company_name,
  address: row.address,
  ...{ gln: row.gln, glnUnchecked: row.gln_unchecked },
  position: row.lat === null || row.lon === null ? null : { lat: row.lat, lon: row.lon, radiusM: row.radius_m },
  timezone: row.zone,
  ports: row.ports.map(({ kind, code, name, country, is_closed }) => ({
    ...{ type: PortType.parse(kind), code, name, country },
    isClosed: is_closed,
  })),
  openShipments: row.open_shipments,
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

/** How the audit trail names a place. */
export const target = (kind: PlaceKind, { id, name }: PlaceRow) =>
  kind === 'origin' ? { kind: 'origin', id, name } : { kind: 'destination', id, name }

/** The facts of a place in the audit trail. */
export const auditSnapshot = (row: PlaceRow) => {
  const {
    id: _id,
    createdAt: _at,
    version: _version,
    openShipments: _open,
    position,
    ports,
    ...facts
  } = presentPlace(row)
  return {
    ...facts,
    position: position && { lat: position.lat, lon: position.lon },
    radiusM: position?.radiusM ?? null,
    ports: ports.map(({ code }) => code),
  }
}
