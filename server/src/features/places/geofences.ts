import type { FenceArea, GeofenceChange, LatLon, NewGeofence } from '@isotherm/contract/places.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { openRing } from '../../domain/fences.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { announcePlace } from './announce-place.ts'
import { refuseCorners, refuseFault, refuseTakenName } from './policy.ts'
import { auditedGeofence, presentGeofence } from './present.ts'
import { deletePlace, type GeofenceRow, insertGeofence, lockGeofence, updateGeofence } from './queries.ts'

const target = ({ id, name }: GeofenceRow) => ({ kind: 'geofence', id, name })

// About a centimetre: what is finer is the drawing hand's.
const exact = ({ lat, lon }: LatLon): LatLon => ({ lat: Math.round(lat * 1e7) / 1e7, lon: Math.round(lon * 1e7) / 1e7 })

/** The area as it is kept. Throws VALIDATION. */
function soundArea(area: FenceArea): FenceArea {
  const sound: FenceArea =
    area.kind === 'circle'
      ? { kind: 'circle', centre: exact(area.centre), radiusM: Math.round(area.radiusM) }
      : { kind: 'polygon', points: openRing(area.points.map(exact)) }
  refuseFault(sound, area.kind === 'circle' ? 'area.radiusM' : 'area.points')
  return sound
}

/** Throws QUOTA_EXCEEDED or VALIDATION. */
export async function addGeofence(ctx: Context, { name, colour, area, notify }: NewGeofence): Promise<GeofenceRow> {
  const now = ctx.clock.now()
  const sound = soundArea(area)
  await refuseTakenName(ctx, 'geofences', name, null)
  await refuseOverQuota(ctx, 'places')
  await refuseCorners(ctx, sound)
  const row = await insertGeofence(ctx.tx, {
    company_id: ctx.companyId,
    name,
    colour,
    area: JSON.stringify(sound),
    notify_in: notify.in,
    notify_out: notify.out,
    created_at: now,
    updated_at: now,
  })
  ctx.audit({ action: 'geofences.created', target: target(row), after: auditedGeofence(row) })
  await announcePlace(ctx, 'geofence', row.id, 'added')
  return row
}

const load = async (ctx: Context, id: string): Promise<GeofenceRow> =>
  orNotFound(await lockGeofence(ctx.tx, ctx.companyId, id))

/** Throws NOT_FOUND, CHANGED_MEANWHILE, QUOTA_EXCEEDED or VALIDATION. */
export async function changeGeofence(
  ctx: Context,
  id: string,
  { version, ...change }: GeofenceChange,
): Promise<GeofenceRow> {
  const before = await load(ctx, id)
  refuseOutdated(before, version)
  const former = presentGeofence(before)
  const { name = former.name, colour = former.colour, notify = former.notify } = change
  const area = change.area && soundArea(change.area)
  // In the order of who adds one: the name's lock, then that of the quota.
  if (name !== former.name) await refuseTakenName(ctx, 'geofences', name, id)
  if (area) await refuseCorners(ctx, area, former.area)
  const after = await updateGeofence(ctx.tx, ctx.companyId, id, {
    name,
    colour,
    ...(area ? { area: JSON.stringify(area) } : {}),
    notify_in: notify.in,
    notify_out: notify.out,
    version: before.version + 1,
    updated_at: ctx.clock.now(),
  })
  const changes = changesOf(auditedGeofence(before), auditedGeofence(after))
  ctx.audit({ action: 'geofences.changed', target: target(after), ...changes })
  await announcePlace(ctx, 'geofence', after.id, 'changed')
  return after
}

/** Throws NOT_FOUND. */
export async function removeGeofence(ctx: Context, id: string): Promise<void> {
  const row = await load(ctx, id)
  await deletePlace(ctx.tx, ctx.companyId, 'geofences', id)
  ctx.audit({ action: 'geofences.deleted', target: target(row), before: auditedGeofence(row) })
  await announcePlace(ctx, 'geofence', row.id, 'removed')
}
