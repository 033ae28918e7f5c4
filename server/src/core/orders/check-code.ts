import { readTrackingCode } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OrderRow } from './order-queries.ts'

/**
 * Refuses a code that is not the order's, in any spelling. Throws ORDER_CODE_WRONG, and after a few of those of one person about one order
 * TOO_MANY_REQUESTS, whatever the next code is. Where a company has guessed too often in all, only wrong codes are refused so: a guesser
 * shuts no colleague out.
 */
export function refuseWrongCode(ctx: Context, order: OrderRow, code: string): void {
  const failures = ctx.services.orderCodeFailures
  failures.refuseExceeded(ctx, order.id, 'account')
  if (readTrackingCode(code) === order.tracking_code) return
  failures.refuseExceeded(ctx, order.id)
  failures.count(ctx, order.id)
  throw new AppError('ORDER_CODE_WRONG')
}
