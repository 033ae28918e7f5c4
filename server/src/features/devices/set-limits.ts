import type { Limits } from '@isotherm/contract/device-limits.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { countChange } from '../../core/devices/device-queries.ts'
import type { Context } from '../../platform/context.ts'
import { addLimits, findVisibilities } from './change-queries.ts'

/** Gives these devices limits for what is measured from now on, and tells whoever looks at them. */
export async function giveLimits(ctx: Context, ids: readonly number[], limits: Limits): Promise<void> {
  if (ids.length === 0) return
  await countChange(ctx, ids)
  await addLimits(
    ctx,
    ids.map((id) => ({ id, limits })),
    ctx.clock.now(),
  )
  for (const { id, visibility } of await findVisibilities(ctx, ids))
    announceDevice(ctx, id, 'settings', visibility === 'private')
}
