import type { ResolveOver } from '@isotherm/contract/triggers.ts'
import type { Context } from '../../platform/context.ts'
import { handleTriggers } from './handle-triggers.ts'
import { countOver, findOver } from './trigger-queries.ts'

/** Triggers that one call resolves at most. */
const maxResolved = 500

/**
 * Resolves what is back to normal among the triggers that the filters leave, the oldest first; `left`: how many more there are.
 * A second click finds those that are left.
 */
export async function resolveOver(ctx: Context, { note, ...filters }: ResolveOver) {
  const ids = await findOver(ctx, filters, maxResolved)
  const { changed } = await handleTriggers(ctx, ids, { action: 'resolve', note })
  return { changed: changed.length, left: await countOver(ctx, filters) }
}
