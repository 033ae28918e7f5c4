import { z } from 'zod'
import { get, patch, post } from './call.ts'
import { Id, Instant, openPeriodWith } from './common.ts'
import { Paging, pageOf } from './paging.ts'

export const WalletKind = z.enum(['sms', 'chat'])
export type WalletKind = z.infer<typeof WalletKind>

/** Prepaid units: one per SMS segment, one per chat message. `remaining` is the balance less what is reserved. */
export const Wallet = z.object({
  id: Id,
  kind: WalletKind,
  balance: z.number().int(),
  reserved: z.number().int(),
  remaining: z.number().int(),
  /** Since ever. */
  used: z.number().int(),
  warnBelow: z.number().int(),
})
export type Wallet = z.infer<typeof Wallet>

export const WalletEntry = z.object({
  id: Id,
  kind: z.enum(['granted', 'bought', 'settled', 'adjusted']),
  units: z.number().int(),
  balanceAfter: z.number().int(),
  /** The alarm whose message it paid for. */
  alarm: z.object({ id: Id, name: z.string() }).nullable(),
  reference: z.string().nullable(),
  at: Instant,
})
export type WalletEntry = z.infer<typeof WalletEntry>

/** Units used in the period, by day, channel and alarm. */
export const WalletOverview = z.object({
  period: z.object({ from: Instant, to: Instant }),
  balance: z.number().int(),
  remaining: z.number().int(),
  used: z.number().int(),
  bought: z.number().int(),
  byDay: z.array(z.object({ day: z.string(), units: z.number().int() })),
  byAlarm: z.array(z.object({ alarm: z.object({ id: Id, name: z.string() }).nullable(), units: z.number().int() })),
})
export type WalletOverview = z.infer<typeof WalletOverview>

export const WalletSettings = z.object({ warnBelow: z.number().int() })
/** Admins are told once when fewer units remain. */
export const WalletChange = z.strictObject({ warnBelow: z.number().int().min(0).max(1_000_000) })
const OverviewPeriod = openPeriodWith({})

export const wallet = {
  balances: get('/wallet', {
    needs: 'payments.view',
    summary: 'SMS and chat units: balance, used, remaining',
    returns: z.array(Wallet),
  }),
  change: patch('/wallet/:id', {
    needs: 'payments.addOrEdit',
    summary: 'The low-balance warning of a wallet',
    body: WalletChange,
    returns: Wallet,
  }),
  overview: get('/wallet/sms/overview', {
    needs: 'payments.view',
    summary: 'SMS units of the last 30 days',
    returns: WalletOverview,
  }),
  overviewOf: post('/wallet/sms/overview', {
    needs: 'payments.view',
    summary: 'SMS units of a period',
    body: OverviewPeriod,
    returns: WalletOverview,
    readOnly: true,
  }),
  transactions: get('/wallet/sms/transactions', {
    needs: 'payments.view',
    summary: 'What went in and out of the SMS wallet, paged',
    query: openPeriodWith({ page: Paging.shape.page, perPage: Paging.shape.perPage }),
    returns: pageOf(WalletEntry),
  }),
  settings: get('/wallet/sms/settings', {
    needs: 'payments.view',
    summary: 'Settings of the SMS wallet',
    returns: WalletSettings,
  }),
}
