import type { Measure } from '@isotherm/contract/device-limits.ts'
import type { GroupTotals } from '@isotherm/contract/groups.ts'
import type { Context } from '../../platform/context.ts'
import { presentTotals } from './present.ts'
import { addExcursions, addUp, type Span } from './totals-queries.ts'

/** The figures of all the group's devices together, up to now. */
export async function totalsOf(ctx: Context, groupId: string, measure: Measure, span: Span): Promise<GroupTotals> {
  const past = { from: span.from, to: Math.min(span.to, ctx.clock.now().getTime()) }
  const [sums, excursions] = await Promise.all([
    addUp(ctx, groupId, measure, past),
    addExcursions(ctx, groupId, measure, past),
  ])
  return presentTotals(sums, excursions)
}
