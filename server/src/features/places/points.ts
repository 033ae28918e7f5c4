import type { NewPointOfInterest, PointOfInterest, PointOfInterestChange } from '@isotherm/contract/places.ts'
import { faultOf } from '../../domain/fences.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { AppError, invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuseOverQuota } from '../../platform/quotas/quotas.ts'
import { announcePlace } from './announce-place.ts'
import { keptOf, presentPoint } from './present.ts'
import { deletePlace, findPoint, insertPoint, isPlaceNameTaken, updatePoint } from './queries.ts'

const target = ({ id, name }: PointOfInterest) => ({ kind: 'pointOfInterest', id, name })

type AuditSnapshot = Pick<PointOfInterest, 'name' | 'position' | 'radiusM' | 'notify'>

/** The columns of a point; a 422 names what is wrong with its circle. */
function columnsOf({ name, position, radiusM, notify }: AuditSnapshot) {
  const fault = faultOf({ kind: 'circle', centre: position, radiusM })
  if (fault) throw invalidField('radiusM', `rule.fence.${fault}`)
  return {
    name,
    lat_e7: Math.round(position.lat * 1e7),
    lon_e7: Math.round(position.lon * 1e7),
    radius_m: Math.round(radiusM),
    notify_in: notify.in,
    notify_out: notify.out,
  }
}

async function checkName(ctx: Context, name: string, except: string | null) {
  if (await isPlaceNameTaken(ctx.tx, ctx.companyId, 'points_of_interest', name, except))
    throw invalidField('name', 'rule.nameTaken')
}

export async function addPoint(ctx: Context, input: NewPointOfInterest): Promise<PointOfInterest> {
  const now = ctx.clock.now()
  const columns = columnsOf(input)
  await checkName(ctx, input.name, null)
  await refuseOverQuota(ctx, 'places')
  const row = await insertPoint(ctx.tx, {
    company_id: ctx.companyId,
    ...columns,
    created_at: now,
    updated_at: now,
  })
  const point = presentPoint(row)
  ctx.audit({ action: 'pointsOfInterest.created', target: target(point), after: keptOf(point) })
  await announcePlace(ctx, 'pointOfInterest', point.id, 'added')
  return point
}

export async function getPoint(ctx: Context, id: string): Promise<PointOfInterest> {
  const row = await findPoint(ctx.tx, ctx.companyId, id)
  if (!row) throw new AppError('NOT_FOUND')
  return presentPoint(row)
}

export async function changePoint(ctx: Context, id: string, change: PointOfInterestChange): Promise<PointOfInterest> {
  const before = await getPoint(ctx, id)
  const { name = before.name, position = before.position, radiusM = before.radiusM, notify = before.notify } = change
  if (name !== before.name) await checkName(ctx, name, id)
  const row = await updatePoint(ctx.tx, ctx.companyId, id, {
    ...columnsOf({ name, position, radiusM, notify }),
    updated_at: ctx.clock.now(),
  })
  const after = presentPoint(row)
  ctx.audit({ action: 'pointsOfInterest.changed', target: target(after), ...changesOf(keptOf(before), keptOf(after)) })
  await announcePlace(ctx, 'pointOfInterest', after.id, 'changed')
  return after
}

export async function removePoint(ctx: Context, id: string): Promise<void> {
  const point = await getPoint(ctx, id)
  await deletePlace(ctx.tx, ctx.companyId, 'points_of_interest', id)
  ctx.audit({ action: 'pointsOfInterest.deleted', target: target(point), before: keptOf(point) })
  await announcePlace(ctx, 'pointOfInterest', point.id, 'removed')
}
