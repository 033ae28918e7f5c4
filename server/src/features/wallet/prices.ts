import type { PayBy, Price } from '@isotherm/contract/billing.ts'
import type { WalletKind } from '@isotherm/contract/units.ts'
import type { UnitOffer, UnitOffers, UnitQuote } from '@isotherm/contract/wallet.ts'
import { currencyOf } from '../../core/billing/account.ts'
import { findAccount } from '../../core/billing/account-queries.ts'
import { type Taxes, taxesNow } from '../../core/billing/taxes.ts'
import { findCompany } from '../../core/company/company.ts'
import { unitPricesNow } from '../../core/provider/price-list.ts'
import { findSeller } from '../../core/provider/seller.ts'
import { sellerBankOf } from '../../core/provider/seller-banks.ts'
import { withTaxes } from '../../domain/tax.ts'
import { cheaperBundle, netOfUnits, type UnitPrices } from '../../domain/unit-price.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'

/** The prices of a kind of units for one company, and the ways to pay; without one, or without a seller, nothing is sold. */
interface Market extends Taxes {
  currency: string
  provider: PaymentProvider | null
  payBy: PayBy[]
  prices: UnitPrices
}

async function marketOf(ctx: Context, kind: WalletKind): Promise<Market> {
  const account = await findAccount(ctx)
  const company = await findCompany(ctx.tx, ctx.companyId)
  const country = account?.country ?? company.country ?? ''
  const currency = account?.currency ?? currencyOf(country, ctx.services.payments)
  const now = ctx.clock.now()
  return withLogin(ctx.tx, async () => {
    const seller = await findSeller(ctx.tx)
    const provider = seller ? ctx.services.payments.of(currency) : null
    const bank = seller && (await sellerBankOf(ctx.tx, currency))
    return {
      ...{
        currency,
        provider,
        payBy: [...(provider ? ['page' as const] : []), ...(bank ? ['transfer' as const] : [])],
      },
      prices: await unitPricesNow(ctx.tx, { kind, currency }, now),
      ...(await taxesNow(ctx.tx, account, company, now)),
    }
  })
}

const priceOf = ({ currency, rates, taxNote }: Market, net: number): Price => ({
  ...{ currency, ...withTaxes(net, rates), taxNote },
})

/** The bundles of a kind that are sold. */
export async function offersOf(ctx: Context, kind: WalletKind): Promise<UnitOffers> {
  const market = await marketOf(ctx, kind)
  const { currency, payBy, prices } = market
  const bundles = prices.bundles.map(({ units, amount }): UnitOffer => ({ units, price: priceOf(market, amount) }))
  const isSold = payBy.length > 0 && bundles.length + prices.rates.length > 0
  return { isSold, currency, bundles: isSold ? bundles : [], sellsAny: isSold && prices.rates.length > 0, payBy }
}

type NumberOfUnits = { kind: WalletKind; units: number }

/** The price of a number of units; null where they are not sold. */
function soldIn(market: Market, units: number): { price: Price; net: number } | null {
  const net = netOfUnits(units, market.prices)
  return net === null || market.payBy.length === 0 ? null : { price: priceOf(market, net), net }
}

/** The price of a number of units now; null where they are not sold. */
export async function quoteOf(ctx: Context, { kind, units }: NumberOfUnits): Promise<UnitQuote | null> {
  const market = await marketOf(ctx, kind)
  const sold = soldIn(market, units)
  if (!sold) return null
  const cheaper = cheaperBundle(units, sold.net, market.prices)
  return {
    units,
    price: sold.price,
    cheaper: cheaper ? { units: cheaper.units, price: priceOf(market, cheaper.amount) } : null,
  }
}

/**
 * The same for who buys, with the provider who takes the money (null: a transfer): only bundles where `isBundle` says so. Throws
 * PAYMENTS_OFF or NOT_SOLD.
 */
export async function salePriceOf(
  ctx: Context,
  { kind, units, payBy }: NumberOfUnits & { payBy: PayBy },
  isBundle: boolean,
): Promise<{ price: Price; provider: PaymentProvider | null }> {
  const market = await marketOf(ctx, kind)
  if (!market.payBy.includes(payBy)) throw new AppError('PAYMENTS_OFF')
  const sold = soldIn(isBundle ? { ...market, prices: { ...market.prices, rates: [] } } : market, units)
  if (!sold) throw new AppError('NOT_SOLD')
  return { price: sold.price, provider: payBy === 'page' ? market.provider : null }
}
