import type { NewPointOfInterest, PointOfInterest, PointOfInterestChange } from '@isotherm/contract/places.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { announcePlace } from './announce-place.ts'
import { refuseFault, refuseTakenName } from './policy.ts'
import { auditedPoint, presentPoint } from './present.ts'
import { deletePlace, insertPoint, lockPoint, type PointRow, updatePoint } from './queries.ts'

const target = ({ id, name }: PointRow) => ({ kind: 'pointOfInterest', id, name })

type AuditSnapshot = Pick<PointOfInterest, 'name' | 'position' | 'radiusM' | 'notify'>

/** The columns of a point. Throws VALIDATION. */
function columnsOf({ name, position, radiusM, notify }: AuditSnapshot) {
  refuseFault({ kind: 'circle', centre: position, radiusM }, 'radiusM')
  return {
    name,
    lat_e7: Math.round(position.lat * 1e7),
    lon_e7: Math.round(position.lon * 1e7),
    radius_m: Math.round(radiusM),
    notify_in: notify.in,
    notify_out: notify.out,
  }
}

/** Throws QUOTA_EXCEEDED or VALIDATION. */
export async function addPoint(ctx: Context, input: NewPointOfInterest): Promise<PointRow> {
  const now = ctx.clock.now()
  const columns = columnsOf(input)
  await refuseTakenName(ctx, 'points_of_interest', input.name, null)
  await refuseOverQuota(ctx, 'places')
  const made = { company_id: ctx.companyId, created_at: now, updated_at: now }
  const row = await insertPoint(ctx.tx, { ...made, ...columns })
  ctx.audit({ action: 'pointsOfInterest.created', target: target(row), after: auditedPoint(row) })
  await announcePlace(ctx, 'pointOfInterest', row.id, 'added')
  return row
}

const load = async (ctx: Context, id: string): Promise<PointRow> =>
  orNotFound(await lockPoint(ctx.tx, ctx.companyId, id))

/** Throws NOT_FOUND, CHANGED_MEANWHILE or VALIDATION. */
export async function changePoint(
  ctx: Context,
  id: string,
  { version, ...change }: PointOfInterestChange,
): Promise<PointRow> {
  const before = await load(ctx, id)
  refuseOutdated(before, version)
  const former = presentPoint(before)
  const { name = former.name, position = former.position, radiusM = former.radiusM, notify = former.notify } = change
  if (name !== former.name) await refuseTakenName(ctx, 'points_of_interest', name, id)
  const columns = columnsOf({ name, position, radiusM, notify })
  const counted = { version: before.version + 1, updated_at: ctx.clock.now() }
  const after = await updatePoint(ctx.tx, ctx.companyId, id, { ...columns, ...counted })
  const changes = changesOf(auditedPoint(before), auditedPoint(after))
  ctx.audit({ action: 'pointsOfInterest.changed', target: target(after), ...changes })
  await announcePlace(ctx, 'pointOfInterest', after.id, 'changed')
  return after
}

/** Throws NOT_FOUND. */
export async function removePoint(ctx: Context, id: string): Promise<void> {
  const row = await load(ctx, id)
  await deletePlace(ctx.tx, ctx.companyId, 'points_of_interest', id)
  ctx.audit({ action: 'pointsOfInterest.deleted', target: target(row), before: auditedPoint(row) })
  await announcePlace(ctx, 'pointOfInterest', row.id, 'removed')
}
