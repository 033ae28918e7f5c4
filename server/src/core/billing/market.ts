import type { Price } from '@isotherm/contract/billing.ts'
import type { Cadence } from '../../domain/billing-period.ts'
import { type TaxRate, withTaxes } from '../../domain/tax.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import { listPlans, type PlanRow } from '../provider/plans.ts'
import { type PlanPriceNow, planPricesNow } from '../provider/price-list.ts'
import { findSeller } from '../provider/seller.ts'
import { taxRatesAt } from '../provider/taxes.ts'
import { type Buyer, buyerOf } from './account.ts'

/** The currency and taxes of one company, and its provider; without one, or without a seller, nothing is sold. */
export interface Market {
  currency: string
  provider: PaymentProvider | null
  rates: TaxRate[]
}

export async function marketOf(of: Buyer, now: Date): Promise<Market> {
  const { country, currency, zone } = await buyerOf(of)
  return withLogin(of.tx, async () => ({
    currency,
    provider: (await findSeller(of.tx)) ? of.services.payments.of(currency) : null,
    rates: await taxRatesAt(of.tx, country, now, zone),
  }))
}

/** A net amount with the taxes of the market. */
export const priceIn = ({ currency, rates }: Market, net: number): Price => ({ currency, ...withTaxes(net, rates) })

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
