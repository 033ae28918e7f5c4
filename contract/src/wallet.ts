import { z } from 'zod'
import { PayBy, Payment, Price } from './billing.ts'
import { file, get, patch, post } from './call.ts'
import { Id, Instant, openPeriodWith, SeenVersion, Version } from './common.ts'
import { Paging, pageOf } from './paging.ts'
import { WalletBalance, WalletKind } from './units.ts'

/** When units are bought by themselves. Amounts of money are minor units of the company's currency. */
export const NewTopUp = z.strictObject({
  /** Fewer than so many are left. */
  below: z.number().int().min(1).max(1_000_000),
  units: z.number().int().min(1).max(100_000),
  /** The saved card that is charged. */
  cardId: Id,
  /** Nothing more is bought in a month that has cost so much. */
  monthlyMax: z.number().int().min(1).max(1_000_000_000_000),
})
export const TopUp = NewTopUp.extend({
  /** Their price now, with taxes; null: they are not sold. */
  price: Price.nullable(),
  /** The card is refused, or was removed: nothing is bought. */
  isCardUsable: z.boolean(),
  spentThisMonth: z.number().int(),
  /** The last time that the card was not charged; for a day after it nothing is bought. */
  failed: z.object({ at: Instant, reason: z.string().nullable() }).nullable(),
})
export type TopUp = z.infer<typeof TopUp>

/** Prepaid units: one per SMS segment, one per chat message. `remaining` is the balance less what is reserved. */
export const Wallet = WalletBalance.extend({
  id: Id,
  balance: z.number().int(),
  reserved: z.number().int(),
  /** Since ever. */
  used: z.number().int(),
  /** So many units a day critical alarms may use beyond what there is; `remaining` is then below zero, and what comes in repays it. */
  overdraftPerDay: z.number().int(),
  /** When it buys units by itself; null: never. */
  topUp: TopUp.nullable(),
  version: Version,
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

/** Units used on the days that the period touches, by the company's clock: in all, by day and by alarm. */
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
/** Admins are told once when fewer units than `warnBelow` remain. A `topUp` of null ends the buying by itself; one that is left out stays. */
export const WalletChange = z.strictObject({
  warnBelow: z.number().int().min(0).max(1_000_000).optional(),
  topUp: NewTopUp.nullable().optional(),
  version: SeenVersion,
})
const OfKind = z.strictObject({ kind: WalletKind.default('sms') })
const OverviewPeriod = openPeriodWith(OfKind.shape)

/** The most that is bought at once. */
export const maxUnitsBought = 100_000
const Units = z.coerce.number().int().min(1).max(maxUnitsBought)

/** So many units, and what they cost. */
export const UnitOffer = z.object({ units: z.number().int(), price: Price })
export type UnitOffer = z.infer<typeof UnitOffer>

export const UnitOffers = z.object({
  /** False where nobody sells units here, or not in the company's currency: there are none. */
  isSold: z.boolean(),
  currency: z.string(),
  bundles: z.array(UnitOffer),
  /** Whether any other number is sold. */
  sellsAny: z.boolean(),
  payBy: z.array(PayBy),
})
export type UnitOffers = z.infer<typeof UnitOffers>

export const UnitQuote = UnitOffer.extend({
  /** A bundle of more units that costs less. */
  cheaper: UnitOffer.nullable(),
})
export type UnitQuote = z.infer<typeof UnitQuote>

/** `total` and `currency` are what was shown: where the price is another by now, nothing is begun (PRICE_CHANGED). */
export const UnitPurchase = z.strictObject({
  kind: WalletKind.default('sms'),
  units: z.number().int().min(1).max(maxUnitsBought),
  total: z.number().int().min(1),
  currency: z.string().regex(/^[A-Z]{3}$/, 'currency'),
  /** A saved card that is charged at once; without one the payer goes to the provider's page. */
  cardId: Id.optional(),
  /** Whether the card that pays on the page may be charged later without its payer. */
  keepCard: z.boolean().optional(),
  payBy: PayBy.default('page'),
})
export type UnitPurchase = z.infer<typeof UnitPurchase>

export const wallet = {
  balances: get('/wallet', {
    needs: 'payments.view',
    summary: 'SMS and chat units: balance, used, remaining',
    returns: z.array(Wallet),
  }),
  change: patch('/wallet/:id', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    summary: 'The low-balance warning of a wallet, and when it buys units by itself',
    body: WalletChange,
    returns: Wallet,
  }),
  overview: get('/wallet/sms/overview', {
    needs: 'payments.view',
    summary: 'Units of the last 30 days, of SMS unless `kind` says otherwise',
    query: OfKind,
    returns: WalletOverview,
  }),
  overviewOf: post('/wallet/sms/overview', {
    needs: 'payments.view',
    summary: 'Units of the days that a period touches, of SMS unless `kind` says otherwise',
    body: OverviewPeriod,
    returns: WalletOverview,
    readOnly: true,
  }),
  transactions: get('/wallet/sms/transactions', {
    needs: 'payments.view',
    summary: 'Entries of the SMS wallet, or of that of `kind`, on the days that a period touches, newest first, paged',
    query: openPeriodWith({ ...OfKind.shape, page: Paging.shape.page, perPage: Paging.shape.perPage }),
    returns: pageOf(WalletEntry),
  }),
  exportTransactions: get('/wallet/sms/transactions/export', {
    needs: 'payments.export',
    summary:
      'wallet.csv with the entries of the SMS wallet, or of that of `kind`, on the days of a period, oldest first',
    query: openPeriodWith(OfKind.shape),
    returns: file('text/csv'),
  }),
  settings: get('/wallet/sms/settings', {
    needs: 'payments.view',
    summary: 'Settings of the SMS wallet',
    returns: WalletSettings,
  }),
  bundles: get('/wallet/bundles', {
    needs: 'payments.view',
    summary: 'The bundles of units that are sold, with their taxes',
    query: OfKind,
    returns: UnitOffers,
  }),
  price: get('/wallet/price', {
    needs: 'payments.view',
    summary: 'What a number of units costs, with its taxes; null where that is not sold',
    query: OfKind.extend({ units: Units }),
    returns: z.object({ quote: UnitQuote.nullable() }),
  }),
  buy: post('/wallet/sms/purchase', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    limit: 'money',
    summary:
      'Pays for a bundle by a saved card, or begins to at `url`; the same again, while that lasts, is the same payment',
    body: UnitPurchase,
    returns: Payment,
    auditOptional: true,
  }),
  buyAny: post('/wallet/sms/customPurchase', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    limit: 'money',
    summary:
      'Pays for units by a saved card, or begins to at `url`; the same again, while that lasts, is the same payment',
    body: UnitPurchase,
    returns: Payment,
    auditOptional: true,
  }),
}
