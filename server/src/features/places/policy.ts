import type { FenceArea } from '@isotherm/contract/places.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { faultOf } from '../../domain/fences.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { isPlaceNameTaken, type PlaceTable } from './queries.ts'

/** Refuses a shape that is no area on the ground; `field` is told what is wrong with it. Throws VALIDATION. */
export function refuseFault(area: FenceArea, field: string): void {
  const fault = faultOf(area)
  if (fault) throw invalidField(field, `rule.fence.${fault}`)
}

/** Refuses a name that another geofence, or point, of the company has. Throws VALIDATION. */
export async function refuseTakenName(ctx: Context, table: PlaceTable, name: string, except: string | null) {
  if (await isPlaceNameTaken(ctx.tx, ctx.companyId, table, name, except)) throw invalidField('name', 'rule.nameTaken')
}

const cornersOf = (area: FenceArea) => (area.kind === 'polygon' ? area.points.length : 0)

/** Circles have no corners: they may be drawn where the corners are used up. Throws QUOTA_EXCEEDED. */
export async function refuseCorners(ctx: Context, area: FenceArea, before?: FenceArea): Promise<void> {
  const more = cornersOf(area) - (before ? cornersOf(before) : 0)
  if (more > 0) await refuseOverQuota(ctx, 'corners', more)
}
