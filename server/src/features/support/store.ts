import type { StoreItem } from '@isotherm/contract/support.ts'
import { marketOf, priceIn } from '../../core/billing/market.ts'
import { listItems } from '../../core/provider/store.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'

/** The things that the provider sells, with prices and taxes for the company, in the words of who reads. */
export async function readStore(ctx: Context): Promise<StoreItem[]> {
  const market = await marketOf(ctx, ctx.clock.now())
  const items = await withLogin(ctx.tx, () => listItems(ctx.tx, ctx.locale))
  return items.map(({ prices, picture, picture_type: type, ...item }) => {
    const net = prices.find(({ currency }) => currency === market.currency)?.amount
    return {
      ...item,
      picture: picture && `data:image/${type === 'jpg' ? 'jpeg' : type};base64,${picture.toString('base64')}`,
      price: net === undefined ? null : priceIn(market, net),
    }
  })
}
