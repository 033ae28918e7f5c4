import type { WalletKind } from '@isotherm/contract/units.ts'
import type { Wallet, WalletOverview, wallet } from '@isotherm/contract/wallet.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { listCsv, maxRows } from '../../platform/http/list-csv.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { buyUnits } from './buy-units.ts'
import { entryColumns, entryLine, presentEntry, presentOverview, presentWallet } from './present.ts'
import { offersOf, quoteOf } from './prices.ts'
import { entriesIn, findWallets, listEntries, type Span, sumEntries, type WalletRow } from './queries.ts'
import { changeWallet, overdraftOf, topUpOfWallet } from './verbs.ts'

const usualMs = 30 * 86_400_000

const shown = async (ctx: Context, row: WalletRow): Promise<Wallet> =>
  presentWallet(row, await topUpOfWallet(ctx, row), await overdraftOf(ctx))

const walletOf = async (ctx: Context, kind: WalletKind): Promise<WalletRow> =>
  orNotFound((await findWallets(ctx)).find((row) => row.kind === kind))

function spanOf(ctx: Context, { from, to }: { from?: string | undefined; to?: string | undefined }): Span {
  const end = to ? new Date(to) : ctx.clock.now()
  return { from: from ? new Date(from) : new Date(end.getTime() - usualMs), to: end }
}

async function overview(
  ctx: Context,
  { kind, ...period }: Parameters<typeof spanOf>[1] & { kind: WalletKind },
): Promise<WalletOverview> {
  const row = await walletOf(ctx, kind)
  const span = spanOf(ctx, period)
  return presentOverview(row, span, await sumEntries(ctx, row.id, span))
}

export const walletHandlers: Handlers<typeof wallet> = {
  async balances(ctx) {
    const wallets: Wallet[] = []
    for (const row of await findWallets(ctx)) wallets.push(await shown(ctx, row))
    return wallets
  },
  change: async (ctx, { params, body }) => shown(ctx, await changeWallet(ctx, params.id, body)),
  overview: (ctx, { query }) => overview(ctx, query),
  overviewOf: (ctx, { body }) => overview(ctx, body),
  async transactions(ctx, { query }) {
    const { id } = await walletOf(ctx, query.kind)
    return presentPage(query, await listEntries(ctx, id, spanOf(ctx, query), query), presentEntry)
  },
  async exportTransactions(ctx, { query }) {
    const { id } = await walletOf(ctx, query.kind)
    const rows = await entriesIn(ctx, id, spanOf(ctx, query), maxRows)
    ctx.audit({ action: 'wallet.exported', after: { ...query, count: rows.length } })
    return listCsv('wallet.csv', entryColumns, rows.map(entryLine))
  },
  async settings(ctx) {
    return { warnBelow: (await walletOf(ctx, 'sms')).warn_below }
  },
  bundles: (ctx, { query }) => offersOf(ctx, query.kind),
  price: async (ctx, { query }) => ({ quote: await quoteOf(ctx, query) }),
  buy: (ctx, { body }) => buyUnits(ctx, body, true),
  buyAny: (ctx, { body }) => buyUnits(ctx, body, false),
}
