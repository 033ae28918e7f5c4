import type { Price } from '@isotherm/contract/billing.ts'
import type { WalletKind } from '@isotherm/contract/units.ts'
import type { UnitOffer, UnitOffers, UnitQuote } from '@isotherm/contract/wallet.ts'
import { buyerOf } from '../../core/billing/account.ts'
import { unitPricesNow } from '../../core/provider/price-list.ts'
import { findSeller } from '../../core/provider/seller.ts'
import { taxRatesAt } from '../../core/provider/taxes.ts'
import { type TaxRate, withTaxes } from '../../domain/tax.ts'
import { cheaperBundle, netOfUnits, type UnitPrices } from '../../domain/unit-price.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'

/** The prices of a kind of units for one company, and its provider; without one, or without a seller, nothing is sold. */
interface Market {
  currency: string
  provider: PaymentProvider | null
  prices: UnitPrices
  rates: TaxRate[]
}

async function marketOf(ctx: Context, kind: WalletKind): Promise<Market> {
  const { country, currency, zone } = await buyerOf(ctx)
  const now = ctx.clock.now()
  return withLogin(ctx.tx, async () => ({
    currency,
    provider: (await findSeller(ctx.tx)) ? ctx.services.payments.of(currency) : null,
    prices: await unitPricesNow(ctx.tx, { kind, currency }, now),
    rates: await taxRatesAt(ctx.tx, country, now, zone),
  }))
}

const priceOf = ({ currency, rates }: Market, net: number): Price => ({ currency, ...withTaxes(net, rates) })

/** The bundles of a kind that are sold. */
export async function offersOf(ctx: Context, kind: WalletKind): Promise<UnitOffers> {
  const market = await marketOf(ctx, kind)
  const { currency, provider, prices } = market
  const bundles = prices.bundles.map(({ units, amount }): UnitOffer => ({ units, price: priceOf(market, amount) }))
  const isSold = provider !== null && bundles.length + prices.rates.length > 0
  return { isSold, currency, bundles: isSold ? bundles : [], sellsAny: isSold && prices.rates.length > 0 }
}

type NumberOfUnits = { kind: WalletKind; units: number }

/** The price of a number of units, and the provider who takes the money; null where they are not sold. */
function soldIn(market: Market, units: number): { price: Price; net: number; provider: PaymentProvider } | null {
  const net = netOfUnits(units, market.prices)
  const { provider } = market
  return net === null || !provider ? null : { price: priceOf(market, net), net, provider }
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

/** The same for who buys: only bundles where `isBundle` says so. Throws PAYMENTS_OFF or NOT_SOLD. */
export async function salePriceOf(
  ctx: Context,
  { kind, units }: NumberOfUnits,
  isBundle: boolean,
): Promise<{ price: Price; provider: PaymentProvider }> {
  const market = await marketOf(ctx, kind)
  if (!market.provider) throw new AppError('PAYMENTS_OFF')
  const sold = soldIn(isBundle ? { ...market, prices: { ...market.prices, rates: [] } } : market, units)
  if (!sold) throw new AppError('NOT_SOLD')
  return sold
}
