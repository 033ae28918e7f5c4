import { sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { allRows, pageOfRows } from '../../platform/db/rows.ts'

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
}

// Written with each entry: a reading sums up none of them.
const usedSql = sql<number>`w.spent::float8`

/** Both wallets, which a company has from its beginning. */
export const findWallets = (ctx: Context): Promise<WalletRow[]> =>
  allRows<WalletRow>(ctx.tx)`select w.*, ${usedSql} as used from wallets w
    where w.company_id = ${ctx.companyId} order by w.kind desc`

export interface Span {
  from: Date
  to: Date
}

const entries = (ctx: Context, walletId: string, { from, to }: Span) => sql`
  wallet_entries e where e.company_id = ${ctx.companyId} and e.wallet_id = ${walletId}::int8 and e.at >= ${from} and e.at <= ${to}`

export interface Sums {
  used: number
  bought: number
  byDay: { day: string; units: number }[]
  byAlarm: { id: string | null; name: string | null; units: number }[]
}

/** Units added, and units used by day (of the company's zone) and by alarm. */
export async function sumEntries(ctx: Context, walletId: string, span: Span): Promise<Sums> {
  const [sums, days, alarms] = await Promise.all([
    sql<{ used: number; bought: number }>`
      select coalesce(-sum(units) filter (where kind = 'settled'), 0)::int as used,
        coalesce(sum(units) filter (where kind in ('bought', 'granted')), 0)::int as bought
      from ${entries(ctx, walletId, span)}`.execute(ctx.tx),
    sql<Sums['byDay'][number]>`
      select to_char(e.at at time zone c.timezone, 'YYYY-MM-DD') as day, -sum(e.units)::int as units
      from companies c, ${entries(ctx, walletId, span)} and c.company_id = e.company_id and e.kind = 'settled'
      group by 1 order by 1`.execute(ctx.tx),
    sql<Sums['byAlarm'][number]>`
      select x.id, x.name, x.units from (
        select e.alarm_id as id, (select name from alarms a where a.company_id = ${ctx.companyId} and a.id = e.alarm_id) as name,
          -sum(e.units)::int as units
        from ${entries(ctx, walletId, span)} and e.kind = 'settled' group by e.alarm_id) x order by x.units desc limit 50`.execute(
      ctx.tx,
    ),
  ])
  return { ...(sums.rows[0] ?? { used: 0, bought: 0 }), byDay: days.rows, byAlarm: alarms.rows }
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
const shown = (ctx: Context, walletId: string, span: Span) =>
  sql`${entries(ctx, walletId, span)} and e.kind not in ('reserved', 'returned')`

/** Entries of a wallet, oldest first. */
export const entriesIn = (ctx: Context, walletId: string, span: Span, max: number): Promise<EntryRow[]> =>
  allRows<EntryRow>(ctx.tx)`select ${shownColumns} from ${shown(ctx, walletId, span)} order by e.at, e.id limit ${max}`

/** One page of what went in and out, newest first. */
export const listEntries = (ctx: Context, walletId: string, span: Span, paging: { page: number; perPage: number }) =>
  pageOfRows<EntryRow>(ctx.tx, paging, {
    columns: shownColumns,
    from: shown(ctx, walletId, span),
    order: sql`e.at desc, e.id desc`,
  })
