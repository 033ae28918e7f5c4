import type { WalletKind } from '@isotherm/contract/units.ts'
import { z } from 'zod'
import { lockAccount } from '../../core/billing/account-queries.ts'
import { cardById } from '../../core/billing/card-queries.ts'
import { chargePayment } from '../../core/billing/charge-payment.ts'
import { openPurchase } from '../../core/billing/open-purchase.ts'
import type { PaymentRow } from '../../core/billing/payment-queries.ts'
import { chargesSince } from '../../core/billing/renewal-queries.ts'
import { byPayments } from '../../core/billing/settle.ts'
import { topUpsOf } from '../../core/billing/top-up-queries.ts'
import { topUpOf, walletsToTopUp } from '../../core/wallet/top-up-queries.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'
import { topUpPriceOf } from './prices.ts'

const maxPerRun = 200
const concurrency = 4
const dayMs = 86_400_000
/** After one that was not paid, or whose money went back, nothing is bought by itself for so long. */
const restMs = dayMs

/** Where the last run ended: wallets that may not buy now, for whatever reason, are in nobody's way. */
let lastCompany = 0

/**
 * Every minute: buys units for the wallets that have fewer than they shall have. What a wallet has is counted with what its messages have reserved,
 * so a storm of them makes one purchase: the next run finds its units, or a purchase that is under way.
 */
export const topUpWallets: Job<Record<string, never>> = {
  name: 'top-up-wallets',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  async run(services) {
    if (!services.config.billing.isOn) return
    const { pool, clock, config } = services
    const today = new Date(Math.floor(clock.now().getTime() / dayMs) * dayMs)
    const { low, charged } = await asPipeline(pool, async ({ tx }) => ({
      low: await walletsToTopUp(tx, lastCompany, maxPerRun),
      charged: await chargesSince(tx, today),
    }))
    // Both wallets of a company may not fit into one run: the last one is looked at again.
    lastCompany = low.length < maxPerRun ? 0 : (low.at(-1)?.company_id ?? 1) - 1
    let left = config.billingDailyMax - charged
    const failed = ({ company_id: companyId, kind }: (typeof low)[number], err: unknown) =>
      services.log.error({ err, companyId, kind }, 'units could not be bought by themselves')
    await eachApart(low, { concurrency, failed }, async ({ company_id: companyId, kind }) => {
      if (left <= 0) return
      left -= 1
      const payment = await openTopUp(services, companyId, kind)
      if (payment) await chargePayment(services, companyId, payment.id)
      else left += 1
    })
  },
}

/** Keeps the purchase that a wallet needs, with the payment by its card; null where nothing may be bought now. */
const openTopUp = (services: Services, companyId: number, kind: WalletKind): Promise<PaymentRow | null> =>
  inTenant(services.pool, companyId, async ({ tx }) => {
    const now = services.clock.now()
    const of = { tx, companyId, services, clock: services.clock, person: null }
    const account = await lockAccount(of)
    const topUp = await topUpOf(of, kind)
    if (!account || account.paused_at || !topUp) return null
    const { isLive, failedAt, takenBackAt, spent } = await topUpsOf(of, kind, account.zone, now)
    const endedAt = Math.max(failedAt?.getTime() ?? 0, takenBackAt?.getTime() ?? 0)
    if (isLive || now.getTime() - endedAt < restMs) return null
    const { units, cardId, monthlyMax } = topUp
    const card = await cardById(of, cardId)
    const price = await topUpPriceOf(of, { kind, units })
    if (card?.state !== 'active' || !price || spent + price.total > monthlyMax) return null
    const wanted = { purpose: 'units' as const, unit_kind: kind, units, is_topup: true }
    const provider = { name: card.provider as 'paystack' | 'stripe' }
    const { purchase, payment } = await openPurchase(of, provider, account, wanted, price, { cardId })
    await writeAudit(tx, companyId, byPayments(now), [
      {
        action: 'billing.purchaseBegun',
        target: { kind: 'purchase', id: purchase.id, name: payment.reference },
        after: { kind, units, amount: price.total, currency: price.currency },
      },
    ])
    return payment
  })
