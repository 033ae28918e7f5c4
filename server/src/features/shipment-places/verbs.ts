import type { NewShipmentPlace, ShipmentPlaceChange } from '@isotherm/contract/shipment-places.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { glnColumns, portsNamed, refuseTaken, refuseUsed, zoneOfPlace } from './policy.ts'
import { auditSnapshot, target } from './present.ts'
import {
  findPlace,
  insertPlace,
  lockPlace,
  type PlaceKind,
  type PlaceRow,
  replacePorts,
  updatePlace,
} from './queries.ts'

// Spelt out, so that each has its sentence in the audit trail.
const acts = {
  origin: {
    added: { action: 'origins.added' },
    changed: { action: 'origins.changed' },
    removed: { action: 'origins.removed' },
  },
  destination: {
    added: { action: 'destinations.added' },
    changed: { action: 'destinations.changed' },
    removed: { action: 'destinations.removed' },
  },
} as const

/** Adds a place. Throws QUOTA_EXCEEDED, or VALIDATION where its name is taken, its GLN is none, or a port is not there. */
export async function addPlace(ctx: Context, kind: PlaceKind, input: NewShipmentPlace): Promise<PlaceRow> {
  await refuseOverQuota(ctx, 'shipmentPlaces')
  await refuseTaken(ctx, kind, input.name, null)
  const ports = await portsNamed(ctx, input.ports ?? [], [])
  const { country, position = null, timezone } = input
  const id = await insertPlace(ctx, kind, {
    ...{ name: input.name, region: input.region ?? null, country, address: input.address ?? null },
    person_of_contact: input.personOfContact ?? null,
    company_name: input.companyName ?? null,
    ...glnColumns(input),
    ...positionValues(position),
    zone: timezone ?? (await zoneOfPlace(ctx, { country, position, ports })),
  })
  await replacePorts(ctx, id, ports)
  const row = await findPlace(ctx, kind, id)
  ctx.audit({ ...acts[kind].added, target: target(kind, row), after: auditSnapshot(row) })
  return row
}

/** Changes a place; shipments keep their copy. Throws NOT_FOUND, CHANGED_MEANWHILE or VALIDATION. */
export async function changePlace(
  ctx: Context,
  kind: PlaceKind,
  id: string,
  { version, ...input }: ShipmentPlaceChange,
): Promise<PlaceRow> {
  const before = await lockPlace(ctx, kind, id)
  refuseOutdated(before, version)
  if (input.name !== undefined) await refuseTaken(ctx, kind, input.name, id)
  const ports = input.ports && (await portsNamed(ctx, input.ports, before.ports))
  await updatePlace(ctx, id, {
    ...{ name: input.name, region: input.region, country: input.country, address: input.address },
    person_of_contact: input.personOfContact,
    company_name: input.companyName,
    ...glnColumns(input),
    ...(input.position !== undefined && positionValues(input.position)),
    zone: await changedZone(ctx, input, before),
  })
  if (ports) await replacePorts(ctx, id, ports)
  const after = await findPlace(ctx, kind, id)
  const changes = changesOf(auditSnapshot(before), auditSnapshot(after))
  ctx.audit({ ...acts[kind].changed, target: target(kind, after), ...changes })
  return after
}

/** Deletes a place: archived, for the shipments that are over. Throws NOT_FOUND or PLACE_IN_USE. */
export async function removePlace(ctx: Context, kind: PlaceKind, id: string): Promise<void> {
  const row = await lockPlace(ctx, kind, id)
  refuseUsed(row)
  await updatePlace(ctx, id, { archived_at: ctx.clock.now() })
  ctx.audit({ ...acts[kind].removed, target: target(kind, row), before: auditSnapshot(row) })
}

const positionValues = (position: NewShipmentPlace['position'] | null) => ({
  lat: position?.lat ?? null,
  lon: position?.lon ?? null,
  radius_m: position?.radiusM ?? null,
})

/** The zone that is given, or that of another country or position; undefined: it stays. */
async function changedZone(
  ctx: Context,
  { timezone, country, position }: Omit<ShipmentPlaceChange, 'version'>,
  before: PlaceRow,
): Promise<string | undefined> {
  if (timezone) return timezone
  const isElsewhere = (country !== undefined && country !== before.country) || position !== undefined
  if (timezone === undefined && !isElsewhere) return undefined
  const { lat, lon } = before
  const at = position === undefined ? (lat === null || lon === null ? null : { lat, lon }) : position
  return zoneOfPlace(ctx, { country: country ?? before.country, position: at, ports: [] })
}
