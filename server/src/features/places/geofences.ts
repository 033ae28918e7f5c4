import type { FenceArea, GeofenceChange, LatLon, NewGeofence } from '@isotherm/contract/places.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { faultOf, openRing } from '../../domain/fences.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { announcePlace } from './announce-place.ts'
import { auditedGeofence, presentGeofence } from './present.ts'
import {
  deletePlace,
  type GeofenceRow,
  insertGeofence,
  isPlaceNameTaken,
  lockGeofence,
  updateGeofence,
} from './queries.ts'

const target = ({ id, name }: GeofenceRow) => ({ kind: 'geofence', id, name })

// About a centimetre: what is finer is the drawing hand's.
const exact = ({ lat, lon }: LatLon): LatLon => ({ lat: Math.round(lat * 1e7) / 1e7, lon: Math.round(lon * 1e7) / 1e7 })

/** The area as it is kept; a 422 names what is wrong with it. */
function soundArea(area: FenceArea): FenceArea {
  const sound: FenceArea =
    area.kind === 'circle'
      ? { kind: 'circle', centre: exact(area.centre), radiusM: Math.round(area.radiusM) }
      : { kind: 'polygon', points: openRing(area.points.map(exact)) }
  const fault = faultOf(sound)
  if (fault) throw invalidField(area.kind === 'circle' ? 'area.radiusM' : 'area.points', `rule.fence.${fault}`)
  return sound
}

const cornersOf = (area: FenceArea) => (area.kind === 'polygon' ? area.points.length : 0)

/** Circles have no corners: they may be drawn where the corners are used up. */
async function refuseCorners(ctx: Context, more: number) {
  if (more > 0) await refuseOverQuota(ctx, 'corners', more)
}

async function checkName(ctx: Context, name: string, except: string | null) {
  if (await isPlaceNameTaken(ctx.tx, ctx.companyId, 'geofences', name, except))
    throw invalidField('name', 'rule.nameTaken')
}

/** Throws QUOTA_EXCEEDED or a 422. */
export async function addGeofence(ctx: Context, { name, colour, area, notify }: NewGeofence): Promise<GeofenceRow> {
  const now = ctx.clock.now()
  const sound = soundArea(area)
  await checkName(ctx, name, null)
  await refuseOverQuota(ctx, 'places')
  await refuseCorners(ctx, cornersOf(sound))
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

/** Throws NOT_FOUND, QUOTA_EXCEEDED or a 422. */
export async function changeGeofence(ctx: Context, id: string, change: GeofenceChange): Promise<GeofenceRow> {
  const before = await load(ctx, id)
  const former = presentGeofence(before)
  const { name = former.name, colour = former.colour, notify = former.notify } = change
  const area = change.area && soundArea(change.area)
  if (area) await refuseCorners(ctx, cornersOf(area) - cornersOf(former.area))
  if (name !== former.name) await checkName(ctx, name, id)
  const after = await updateGeofence(ctx.tx, ctx.companyId, id, {
    name,
    colour,
    ...(area ? { area: JSON.stringify(area) } : {}),
    notify_in: notify.in,
    notify_out: notify.out,
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
