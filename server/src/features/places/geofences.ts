import type { FenceArea, Geofence, GeofenceChange, LatLon, NewGeofence } from '@isotherm/contract/places.ts'
import { faultOf, openRing } from '../../domain/fences.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { AppError, invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuseOverQuota } from '../../platform/quotas/quotas.ts'
import { announcePlace } from './announce-place.ts'
import { keptOf, presentGeofence } from './present.ts'
import { deletePlace, findGeofence, insertGeofence, isPlaceNameTaken, updateGeofence } from './queries.ts'

const target = ({ id, name }: Geofence) => ({ kind: 'geofence', id, name })

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

export async function addGeofence(ctx: Context, { name, colour, area, notify }: NewGeofence): Promise<Geofence> {
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
  const fence = presentGeofence(row)
  ctx.audit({ action: 'geofences.created', target: target(fence), after: keptOf(fence) })
  await announcePlace(ctx, 'geofence', fence.id, 'added')
  return fence
}

async function load(ctx: Context, id: string): Promise<Geofence> {
  const row = await findGeofence(ctx.tx, ctx.companyId, id)
  if (!row) throw new AppError('NOT_FOUND')
  return presentGeofence(row)
}

export async function changeGeofence(ctx: Context, id: string, change: GeofenceChange): Promise<Geofence> {
  const before = await load(ctx, id)
  const { name = before.name, colour = before.colour, notify = before.notify } = change
  const area = change.area && soundArea(change.area)
  if (area) await refuseCorners(ctx, cornersOf(area) - cornersOf(before.area))
  if (name !== before.name) await checkName(ctx, name, id)
  const row = await updateGeofence(ctx.tx, ctx.companyId, id, {
    name,
    colour,
    ...(area ? { area: JSON.stringify(area) } : {}),
    notify_in: notify.in,
    notify_out: notify.out,
    updated_at: ctx.clock.now(),
  })
  const after = presentGeofence(row)
  ctx.audit({ action: 'geofences.changed', target: target(after), ...changesOf(keptOf(before), keptOf(after)) })
  await announcePlace(ctx, 'geofence', after.id, 'changed')
  return after
}

export async function removeGeofence(ctx: Context, id: string): Promise<void> {
  const fence = await load(ctx, id)
  await deletePlace(ctx.tx, ctx.companyId, 'geofences', id)
  ctx.audit({ action: 'geofences.deleted', target: target(fence), before: keptOf(fence) })
  await announcePlace(ctx, 'geofence', fence.id, 'removed')
}
