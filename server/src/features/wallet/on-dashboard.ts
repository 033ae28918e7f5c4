import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import type { Context } from '../../platform/context.ts'
import { findWallets } from './queries.ts'

/** The balances of the wallets; null for a role that may not see payments. */
export async function walletsOnDashboard(ctx: Context): Promise<Dashboard['wallets']> {
  if (!ctx.can('payments.view')) return null
  const rows = await findWallets(ctx)
  return rows.map((row) => ({ kind: row.kind, remaining: row.balance - row.reserved, warnBelow: row.warn_below }))
}
