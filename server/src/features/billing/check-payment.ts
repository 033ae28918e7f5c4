import type { Payment } from '@isotherm/contract/billing.ts'
import { askPayment, hasEnded } from '../../core/billing/ask-payment.ts'
import { claimAsking, paymentById } from '../../core/billing/payment-queries.ts'
import { readPayment, showPayment } from '../../core/billing/show-payment.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'

/** However often a screen asks, the provider is asked once in so long. */
const askEveryMs = 2_000

/** Asks the provider how a payment stands, once the call's transaction is over. Throws NOT_FOUND. */
export async function checkPayment({ services, ...ctx }: Context, id: string): Promise<Payment | AfterCommit<Payment>> {
  const payment = orNotFound(await paymentById(ctx, id))
  const now = ctx.clock.now()
  const isAsked = !hasEnded(payment) && (await claimAsking(ctx, id, new Date(now.getTime() - askEveryMs), now))
  if (!isAsked) return showPayment(ctx, id)
  return new AfterCommit(async () => {
    await askPayment(services, ctx.companyId, payment)
    return readPayment(services, ctx.companyId, id, ctx.locale)
  })
}
