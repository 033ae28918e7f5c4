import type { TopUp, Wallet, WalletEntry, WalletOverview } from '@isotherm/contract/wallet.ts'
import type { EntryRow, Span, Sums, WalletRow } from './queries.ts'

/** `overdraft`: of companies without a number of their own, in units a day. */
export const presentWallet = (row: WalletRow, topUp: TopUp | null, overdraft: number): Wallet => ({
  id: row.id,
  kind: row.kind,
  balance: row.balance,
  reserved: row.reserved,
  remaining: row.balance - row.reserved,
  used: row.used,
  overdraftPerDay: row.overdraft_units ?? overdraft,
  warnBelow: row.warn_below,
  topUp,
  version: row.version,
})

export const presentEntry = (row: EntryRow): WalletEntry => ({
  id: row.id,
  kind: row.kind,
  units: row.units,
  balanceAfter: row.balance_after,
  alarm: row.alarm_id && row.alarm_name ? { id: row.alarm_id, name: row.alarm_name } : null,
  reference: row.reference,
  at: row.at.toISOString(),
})

export const presentOverview = (row: WalletRow, { from, to }: Span, sums: Sums): WalletOverview => ({
  period: { from: from.toISOString(), to: to.toISOString() },
  balance: row.balance,
  remaining: row.balance - row.reserved,
  used: sums.used,
  bought: sums.bought,
  byDay: sums.byDay,
  byAlarm: sums.byAlarm.map(({ id, name, units }) => ({ alarm: id && name ? { id, name } : null, units })),
})

/** The columns of wallet.csv, in English: programs read them. */
export const entryColumns = ['at', 'entry', 'units', 'left', 'alarm', 'reference'] as const

export const entryLine = (row: EntryRow): unknown[] => [
  ...[row.at, row.kind, row.units, row.balance_after, row.alarm_name, row.reference],
]
