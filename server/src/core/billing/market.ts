import type { Price } from '@isotherm/contract/billing.ts'
import { type TaxRate, withTaxes } from '../../domain/tax.ts'
import type { TenantTx } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import type { Services } from '../../platform/services.ts'
import { findCompany } from '../company/company.ts'
import { type PlanRow, planById } from '../provider/plans.ts'
import { type PlanPriceNow, planPricesNow } from '../provider/price-list.ts'
import { findSeller } from '../provider/seller.ts'
import { taxRatesAt } from '../provider/taxes.ts'
import { currencyOf } from './account.ts'
import { findAccount } from './account-queries.ts'

type Buyer = TenantTx & { services: Pick<Services, 'payments'> }

/** The currency and taxes of one company, and its provider; without one, or without a seller, nothing is sold. */
export interface Market {
  currency: string
  provider: PaymentProvider | null
  rates: TaxRate[]
}

export async function marketOf(of: Buyer, now: Date): Promise<Market> {
  const account = await findAccount(of)
  const company = await findCompany(of.tx, of.companyId)
  const country = account?.country ?? company.country ?? ''
  const currency = account?.currency ?? currencyOf(country, of.services.payments)
  return withLogin(of.tx, async () => ({
    currency,
    provider: (await findSeller(of.tx)) ? of.services.payments.of(currency) : null,
    rates: await taxRatesAt(of.tx, country, now, account?.zone ?? company.timezone),
  }))
}

/** A net amount with the taxes of the market. */
export const priceIn = ({ currency, rates }: Market, net: number): Price => ({ currency, ...withTaxes(net, rates) })

/** A plan, and the prices that are in force for it; nothing is paid for a plan whose price is 0. */
export async function planInMarket(
  { tx }: TenantTx,
  { currency }: Market,
  planId: number,
  now: Date,
): Promise<{ plan: PlanRow; prices: PlanPriceNow[] }> {
  return withLogin(tx, async () => ({
    plan: await planById(tx, planId),
    prices: (await planPricesNow(tx, currency, now)).filter(
      (price) => price.plan_id === planId && price.amount !== '0',
    ),
  }))
}
