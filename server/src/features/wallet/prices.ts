import type { PayBy, Price } from '@isotherm/contract/billing.ts'
import type { WalletKind } from '@isotherm/contract/units.ts'
import type { UnitOffer, UnitOffers, UnitQuote } from '@isotherm/contract/wallet.ts'
import { type Market, marketOf, priceIn } from '../../core/billing/market.ts'
import { unitPricesNow } from '../../core/provider/price-list.ts'
import { cheaperBundle, netOfUnits, type UnitPrices } from '../../domain/unit-price.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'

interface UnitMarket extends Market {
  prices: UnitPrices
}

/** Whose prices are asked for, in a call or in a job. */
type Buying = Pick<Context, 'tx' | 'companyId' | 'services' | 'clock'>

async function unitMarketOf(ctx: Buying, kind: WalletKind): Promise<UnitMarket> {
  const now = ctx.clock.now()
  const market = await marketOf(ctx, now)
  const prices = await withLogin(ctx.tx, () => unitPricesNow(ctx.tx, { kind, currency: market.currency }, now))
  return { ...market, prices }
}

/** The bundles of a kind that are sold. */
export async function offersOf(ctx: Context, kind: WalletKind): Promise<UnitOffers> {
  const market = await unitMarketOf(ctx, kind)
  const { currency, payBy, prices } = market
  const bundles = prices.bundles.map(({ units, amount }): UnitOffer => ({ units, price: priceIn(market, amount) }))
  const isSold = payBy.length > 0 && bundles.length + prices.rates.length > 0
  return { isSold, currency, bundles: isSold ? bundles : [], sellsAny: isSold && prices.rates.length > 0, payBy }
}

type NumberOfUnits = { kind: WalletKind; units: number }

/** The price of a number of units; null where they are not sold. */
function soldIn(market: UnitMarket, units: number): { price: Price; net: number } | null {
  const net = netOfUnits(units, market.prices)
  return net === null || market.payBy.length === 0 ? null : { price: priceIn(market, net), net }
}

/** The price of a number of units now; null where they are not sold. */
export async function quoteOf(ctx: Context, { kind, units }: NumberOfUnits): Promise<UnitQuote | null> {
  const market = await unitMarketOf(ctx, kind)
  const sold = soldIn(market, units)
  if (!sold) return null
  const cheaper = cheaperBundle(units, sold.net, market.prices)
  return {
    units,
    price: sold.price,
    cheaper: cheaper ? { units: cheaper.units, price: priceIn(market, cheaper.amount) } : null,
  }
}

/** The price of units that are bought by themselves; null where they are not sold. */
export const topUpPriceOf = async (ctx: Buying, { kind, units }: NumberOfUnits): Promise<Price | null> =>
  soldIn(await unitMarketOf(ctx, kind), units)?.price ?? null

/**
 * The same for who buys, with the provider who takes the money (null: a transfer): only bundles where `isBundle` says so. Throws
 * PAYMENTS_OFF or NOT_SOLD.
 */
export async function salePriceOf(
  ctx: Context,
  { kind, units, payBy }: NumberOfUnits & { payBy: PayBy },
  isBundle: boolean,
): Promise<{ price: Price; provider: PaymentProvider | null }> {
  const market = await unitMarketOf(ctx, kind)
  if (!market.payBy.includes(payBy)) throw new AppError('PAYMENTS_OFF')
  const sold = soldIn(isBundle ? { ...market, prices: { ...market.prices, rates: [] } } : market, units)
  if (!sold) throw new AppError('NOT_SOLD')
  return { price: sold.price, provider: payBy === 'page' ? market.provider : null }
}
