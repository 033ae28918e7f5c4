import { metaOf } from '@isotherm/contract/paging.ts'
import type { Wallet, WalletEntry, WalletKind, WalletOverview, wallet } from '@isotherm/contract/wallet.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import {
  type EntryRow,
  findWallets,
  listEntries,
  type Span,
  sumEntries,
  updateWallet,
  type WalletRow,
} from './queries.ts'

const usualMs = 30 * 86_400_000

const present = (row: WalletRow): Wallet => ({
  id: row.id,
  kind: row.kind,
  balance: row.balance,
  reserved: row.reserved,
  remaining: row.balance - row.reserved,
  used: row.used,
  warnBelow: row.warn_below,
})

async function walletOf(ctx: Context, kind: WalletKind): Promise<WalletRow> {
  const found = (await findWallets(ctx)).find((row) => row.kind === kind)
  if (!found) throw new AppError('NOT_FOUND')
  return found
}

function spanOf(ctx: Context, { from, to }: { from?: string | undefined; to?: string | undefined }): Span {
  const end = to ? new Date(to) : ctx.clock.now()
  return { from: from ? new Date(from) : new Date(end.getTime() - usualMs), to: end }
}

async function overview(ctx: Context, period: Parameters<typeof spanOf>[1]): Promise<WalletOverview> {
  const row = await walletOf(ctx, 'sms')
  const span = spanOf(ctx, period)
  const { used, bought, byDay, byAlarm } = await sumEntries(ctx, row.id, span)
  return {
    period: { from: span.from.toISOString(), to: span.to.toISOString() },
    balance: row.balance,
    remaining: row.balance - row.reserved,
    used,
    bought,
    byDay,
    byAlarm: byAlarm.map(({ id, name, units }) => ({ alarm: id && name ? { id, name } : null, units })),
  }
}

const presentEntry = (row: EntryRow): WalletEntry => ({
  id: row.id,
  kind: row.kind,
  units: row.units,
  balanceAfter: row.balance_after,
  alarm: row.alarm_id && row.alarm_name ? { id: row.alarm_id, name: row.alarm_name } : null,
  reference: row.reference,
  at: row.at.toISOString(),
})

export const walletHandlers: Handlers<typeof wallet> = {
  balances: async (ctx) => (await findWallets(ctx)).map(present),
  async change(ctx, { params, body }) {
    const find = async () => (await findWallets(ctx)).find(({ id }) => id === params.id)
    const before = await find()
    if (!before) throw new AppError('NOT_FOUND')
    await updateWallet(ctx, params.id, body.warnBelow)
    const after = (await find()) ?? before
    const target = { kind: 'wallet', id: params.id, name: before.kind }
    ctx.audit({
      action: 'wallet.changed',
      target,
      ...changesOf({ warnBelow: before.warn_below }, { warnBelow: after.warn_below }),
    })
    return present(after)
  },
  overview: (ctx) => overview(ctx, {}),
  overviewOf: (ctx, { body }) => overview(ctx, body),
  async transactions(ctx, { query }) {
    const { id } = await walletOf(ctx, 'sms')
    const { rows, total } = await listEntries(ctx, id, spanOf(ctx, query), query)
    return { data: rows.map(presentEntry), meta: metaOf(query, total) }
  },
  async settings(ctx) {
    return { warnBelow: (await walletOf(ctx, 'sms')).warn_below }
  },
}
