import { deleteItem, findItem, listItems, putItem, putItemPrice } from '../../core/provider/store.ts'
import { majorText } from '../../domain/money.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { table } from './show.ts'
import { amount, currency, line } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface StoreOptions {
  name?: string | undefined
  text?: string | undefined
  currency?: string | undefined
  amount?: string | undefined
}

function codeOf(code: string | undefined): string {
  if (!code || !/^[a-z0-9-]{1,40}$/.test(code))
    throw new UsageError('Which thing? A code of small letters, digits and hyphens, such as probe-2m')
  return code
}

function priceOf(options: StoreOptions): { currency: string; net: number } {
  const of = currency(options.currency)
  return { currency: of, net: amount(options.amount, of) }
}

/** Offers a thing, changes its name or text, or gives it its price in a currency. */
export async function setItem(tools: ProviderTools, given: string | undefined, options: StoreOptions): Promise<void> {
  const code = codeOf(given)
  const price = options.amount === undefined ? null : priceOf(options)
  await changing(tools, async (tx, now) => {
    const known = await findItem(tx, code)
    const before = known ? { name: known.name, text: known.text } : null
    const after = {
      name: line('name', options.name ?? before?.name, 120),
      text: line('text', options.text ?? before?.text, 600),
    }
    await putItem(tx, { code, ...after }, now)
    if (price) await putItemPrice(tx, code, price.currency, price.net)
    const priced = price ? { price: majorText(price.net, price.currency), currency: price.currency } : {}
    return { act: 'store.set', target: code, before, after: { ...after, ...priced } }
  })
  await showStore(tools)
}

/** Offers a thing no longer; requests for it stay. */
export async function removeItem(tools: ProviderTools, given: string | undefined): Promise<void> {
  const code = codeOf(given)
  await changing(tools, async (tx) => {
    if (!(await findItem(tx, code))) throw new UsageError(`There is no "${code}" in the store: see store list`)
    await deleteItem(tx, code)
    return { act: 'store.removed', target: code }
  })
  tools.out(`"${code}" is not offered any more.`)
}

export async function showStore(tools: ProviderTools): Promise<void> {
  const items = await asLogin(tools.pool, ({ tx }) => listItems(tx))
  const rows = items.map(({ code, name, prices, text }) => [
    code,
    name,
    prices.map((price) => `${majorText(price.amount, price.currency)} ${price.currency}`).join(', '),
    text,
  ])
  table(tools, ['CODE', 'NAME', 'NET', 'TEXT'], rows)
}
