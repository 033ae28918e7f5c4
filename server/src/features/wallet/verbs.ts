import { updateWallet } from '../../core/wallet/wallet-queries.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { findWallets, type WalletRow } from './queries.ts'

/** Changes when the Admins are told that units run low. Throws NOT_FOUND. */
export async function changeWallet(ctx: Context, id: string, warnBelow: number): Promise<WalletRow> {
  const before = orNotFound((await findWallets(ctx)).find((row) => row.id === id))
  await updateWallet(ctx, id, warnBelow)
  ctx.audit({
    action: 'wallet.changed',
    target: { kind: 'wallet', id, name: before.kind },
    ...changesOf({ warnBelow: before.warn_below }, { warnBelow }),
  })
  return { ...before, warn_below: warnBelow }
}
