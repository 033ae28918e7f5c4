import { sql } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'

export interface WalletRow {
  id: string
  kind: 'sms' | 'chat'
  balance: number
  reserved: number
  used: number
  warn_below: number
  topup_below: number | null
  topup_units: number | null
  topup_card_id: string | null
  topup_monthly_max: string | null
  /** The overdraft of the company, in units a day; null: that of the installation. */
  overdraft_units: number | null
  version: number
}

// Written with each entry: a reading sums up none of them.
const usedSql = sql<number>`w.spent::float8`

/** Both wallets, which a company has from its beginning. */
export const findWallets = (ctx: Context): Promise<WalletRow[]> =>
  allRows<WalletRow>(ctx.tx)`select w.*, ${usedSql} as used from wallets w
    where w.company_id = ${ctx.companyId} order by w.kind desc`

/** A wallet, locked until the transaction ends. */
export const lockWallet = (ctx: Context, id: string): Promise<WalletRow | undefined> =>
  firstRow<WalletRow>(ctx.tx)`select w.*, ${usedSql} as used from wallets w
    where w.company_id = ${ctx.companyId} and w.id = ${id}::int8 for no key update`

export interface Span {
  from: Date
  to: Date
}

const dayIn = ({ companyId }: TenantTx, at: Date) =>
  sql`(select (${at}::timestamptz at time zone c.timezone)::date from companies c where c.company_id = ${companyId})`
/** The days that a span touches, by the company's clock. */
const days = (ctx: TenantTx, walletId: string, { from, to }: Span) => sql`
  e.company_id = ${ctx.companyId} and e.wallet_id = ${walletId}::int8 and e.day between ${dayIn(ctx, from)} and ${dayIn(ctx, to)}`
// A year has some hundred days, however many entries.
const summed = (ctx: TenantTx, walletId: string, span: Span) => sql`wallet_days e where ${days(ctx, walletId, span)}`

export interface Sums {
  used: number
  bought: number
  byDay: { day: string; units: number }[]
  byAlarm: { id: string | null; name: string | null; units: number }[]
}

/** Units added, and units used by day and by alarm, of all days that the span touches. No entry is read. */
export async function sumEntries(ctx: TenantTx, walletId: string, span: Span): Promise<Sums> {
  const sums = await firstRow<Pick<Sums, 'used' | 'bought'>>(ctx.tx)`
    select coalesce(sum(e.used), 0)::float8 as used, coalesce(sum(e.bought), 0)::float8 as bought
    from ${summed(ctx, walletId, span)}`
  const byDay = await allRows<Sums['byDay'][number]>(ctx.tx)`
    select e.day::text as day, sum(e.used)::float8 as units
    from ${summed(ctx, walletId, span)} and e.used <> 0 group by 1 order by 1`
  const byAlarm = await allRows<Sums['byAlarm'][number]>(ctx.tx)`
    select nullif(x.id, 0) as id, (select name from alarms a where a.company_id = ${ctx.companyId} and a.id = x.id) as name, x.units
    from (select e.alarm_id as id, sum(e.used)::float8 as units
      from ${summed(ctx, walletId, span)} and e.used <> 0 group by 1 order by 2 desc, 1 limit 50) x
    order by x.units desc, x.id`
  return { ...(sums ?? { used: 0, bought: 0 }), byDay, byAlarm }
}

export interface EntryRow {
  id: string
  kind: 'granted' | 'bought' | 'settled' | 'adjusted'
  units: number
  balance_after: number
  alarm_id: string | null
  alarm_name: string | null
  reference: string | null
  at: Date
}

const shownColumns = sql`e.*, (select name from alarms a where a.company_id = e.company_id and a.id = e.alarm_id) as alarm_name`
/** Reservations change no balance and are left out. */
const shown = (ctx: TenantTx, walletId: string, span: Span) =>
  sql`wallet_entries e where ${days(ctx, walletId, span)} and e.kind not in ('reserved', 'returned')`

/** Entries of a wallet, oldest first. */
export const entriesIn = (ctx: TenantTx, walletId: string, span: Span, max: number): Promise<EntryRow[]> =>
  allRows<EntryRow>(ctx.tx)`
    select ${shownColumns} from ${shown(ctx, walletId, span)} order by e.day, e.at, e.id limit ${max}`

/** One page of what went in and out, newest first. How many there are is known of each day. */
export async function listEntries(
  ctx: TenantTx,
  walletId: string,
  span: Span,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ rows: EntryRow[]; total: number }> {
  const rows = await allRows<EntryRow>(ctx.tx)`
    select ${shownColumns} from ${shown(ctx, walletId, span)}
    order by e.day desc, e.at desc, e.id desc limit ${perPage} offset ${(page - 1) * perPage}`
  const total = await countRows(ctx.tx)`
    select coalesce(sum(e.entries), 0)::int as n from ${summed(ctx, walletId, span)}`
  return { rows, total }
}
