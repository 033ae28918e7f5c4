import type { LivePlace } from '@isotherm/contract/live.ts'
import { noteCompany } from '../../core/devices/settings-changes.ts'
import type { Context } from '../../platform/context.ts'

/** Tells the pipeline, and the other browsers once it is committed, that a place is not what they know. */
export async function announcePlace(
  ctx: Context,
  kind: LivePlace['kind'],
  id: string,
  change: LivePlace['change'],
): Promise<void> {
  await noteCompany(ctx)
  const data: LivePlace = { kind, id, change }
  ctx.afterCommit(() => ctx.services.bus.publish({ companyId: ctx.companyId, kind: 'place', data }))
}
