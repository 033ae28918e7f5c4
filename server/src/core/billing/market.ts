import type { PayBy, Price } from '@isotherm/contract/billing.ts'
import type { Cadence } from '../../domain/billing-period.ts'
import { withTaxes } from '../../domain/tax.ts'
import type { TenantTx } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import type { Services } from '../../platform/services.ts'
import { findCompany } from '../company/company.ts'
import { listPlans, type PlanRow } from '../provider/plans.ts'
import { type PlanPriceNow, planPricesNow } from '../provider/price-list.ts'
import { findSeller } from '../provider/seller.ts'
import { sellerBankOf } from '../provider/seller-banks.ts'
import { currencyOf } from './account.ts'
import { findAccount } from './account-queries.ts'
import { type Taxes, taxesNow } from './taxes.ts'

type Buyer = TenantTx & { services: Pick<Services, 'payments'> }

/** The currency and taxes of one company, and the ways it may pay; without any, or without a seller, nothing is sold. */
export interface Market extends Taxes {
  currency: string
  provider: PaymentProvider | null
  payBy: PayBy[]
}

export async function marketOf(of: Buyer, now: Date): Promise<Market> {
  const account = await findAccount(of)
  const company = await findCompany(of.tx, of.companyId)
  const country = account?.country ?? company.country ?? ''
  const currency = account?.currency ?? currencyOf(country, of.services.payments)
  return withLogin(of.tx, async () => {
    const seller = await findSeller(of.tx)
    const provider = seller ? of.services.payments.of(currency) : null
    const bank = seller && (await sellerBankOf(of.tx, currency))
    const payBy = [...(provider ? ['page' as const] : []), ...(bank ? ['transfer' as const] : [])]
    return { currency, provider, payBy, ...(await taxesNow(of.tx, account, company, now)) }
  })
}

/** A net amount with the taxes of the market. */
export const priceIn = ({ currency, rates, taxNote }: Market, net: number): Price => ({
  ...{ currency, taxNote, ...withTaxes(net, rates) },
})

/** The plans there are, archived ones included, and the prices that are in force for them in one company's market. */
export interface Catalogue {
  market: Market
  plans: PlanRow[]
  prices: PlanPriceNow[]
}

export async function catalogueOf(of: Buyer, now: Date): Promise<Catalogue> {
  const market = await marketOf(of, now)
  return withLogin(of.tx, async () => ({
    market,
    plans: await listPlans(of.tx),
    prices: await planPricesNow(of.tx, market.currency, now),
  }))
}

/** The price of a period of a plan; null: it is not sold so. Nothing is paid for a plan whose price is 0. */
export function priceOfPlan({ market, prices }: Catalogue, planId: number, cadence: Cadence): Price | null {
  const found = prices.find((price) => price.plan_id === planId && price.cadence === cadence)
  return found && Number(found.amount) > 0 ? priceIn(market, Number(found.amount)) : null
}
