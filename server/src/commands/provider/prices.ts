import { listPlanPrices, setPlanPrice } from '../../core/provider/price-list.ts'
import type { Cadence } from '../../domain/billing-period.ts'
import { majorText } from '../../domain/money.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import { planOf } from './plans.ts'
import type { ProviderTools } from './provider-tools.ts'
import { day, table } from './show.ts'
import { amount, currency, instant, oneOf } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface PriceOptions {
  currency?: string | undefined
  billing?: string | undefined
  amount?: string | undefined
  from?: string | undefined
}

const cadences = ['monthly', 'annually'] as const satisfies readonly Cadence[]

/** Sets what a plan costs, net, from now or a day on; `isEnd`: from then on it is not sold in that currency and cadence. */
export async function setPrice(
  tools: ProviderTools,
  code: string | undefined,
  options: PriceOptions,
  isEnd = false,
): Promise<void> {
  const of = currency(options.currency)
  const cadence = oneOf('billing', options.billing, cadences)
  const net = isEnd ? null : amount(options.amount, of)
  await changing(tools, async (tx, now) => {
    const plan = await planOf(tx, code)
    if (plan.archived_at && !isEnd) throw new UsageError(`Plan ${plan.code} is archived: it is not sold`)
    const from = instant(options.from, now)
    await setPlanPrice(tx, { planId: plan.id, currency: of, cadence }, net, from, now)
    const price = net === null ? 'none' : majorText(net, of)
    return {
      act: isEnd ? 'prices.ended' : 'prices.set',
      target: plan.code,
      after: { currency: of, billing: cadence, price, from: from.toISOString() },
    }
  })
  await showPrices(tools, code)
}

export async function showPrices(tools: ProviderTools, code: string | undefined): Promise<void> {
  const prices = await asLogin(tools.pool, async ({ tx }) => {
    const plan = code === undefined ? null : await planOf(tx, code)
    return listPlanPrices(tx, new Date(), plan?.code ?? null)
  })
  const rows = prices.map((row) => [
    row.code,
    row.currency,
    row.cadence,
    majorText(Number(row.amount), row.currency),
    day(row.valid_from),
    day(row.valid_to),
  ])
  table(tools, ['PLAN', 'CURRENCY', 'BILLING', 'NET', 'FROM', 'UNTIL'], rows)
}
