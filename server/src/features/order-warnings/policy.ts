import type { Context } from '../../platform/context.ts'
import type { WarningRow } from './queries.ts'

/** Those who dispatch acknowledge, and those whom the company chose to hear of it. */
export const mayAcknowledge = (ctx: Pick<Context, 'can'>, { is_recipient }: WarningRow): boolean =>
  ctx.can('dispatch.addOrEdit') || is_recipient
