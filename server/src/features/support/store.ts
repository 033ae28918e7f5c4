import type { StoreItem } from '@isotherm/contract/support.ts'
import { buyerOf } from '../../core/billing/account.ts'
import { listItems } from '../../core/provider/store.ts'
import { taxRatesAt } from '../../core/provider/taxes.ts'
import { withTaxes } from '../../domain/tax.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'

/** The things that the provider sells, with prices and taxes for the company. */
export async function readStore(ctx: Context): Promise<StoreItem[]> {
  const { currency, country, zone } = await buyerOf(ctx)
  return withLogin(ctx.tx, async () => {
    const rates = await taxRatesAt(ctx.tx, country, ctx.clock.now(), zone)
    return (await listItems(ctx.tx)).map(({ prices, ...item }) => {
      const net = prices.find((price) => price.currency === currency)?.amount
      return { ...item, price: net === undefined ? null : { currency, ...withTaxes(net, rates) } }
    })
  })
}
