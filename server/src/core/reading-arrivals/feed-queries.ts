import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { noteCompany } from '../devices/settings-changes.ts'

export interface ReadingFeed {
  /** Eight signs of the epoch, as cursors have them. */
  epoch: string
  /** The number of the last arrival. */
  last: string
  /** Every transaction that may have noted nothing, because it began before the feed was on, has ended. */
  isSettled: boolean
}

const columns = sql.raw(`left(epoch::text, 8) as epoch, last_number::text as last, is_settled as "isSettled"`)
const hourMs = 3_600_000

/** The feed of a company where it is on. */
export const findReadingFeed = ({ tx, companyId }: TenantTx): Promise<ReadingFeed | undefined> =>
  firstRow<ReadingFeed>(tx)`select ${columns} from reading_feeds where company_id = ${companyId} and is_on`

/** From now on the pipeline notes what arrives of the company. Changes nothing where it does already, but that somebody reads. */
export async function switchReadingsOn(ctx: TenantTx, now: Date): Promise<void> {
  const { rows } = await sql`
    insert into reading_feeds (company_id, is_on, since, read_at) values (${ctx.companyId}, true, ${now}, ${now})
    on conflict (company_id) do update set is_on = true, epoch = gen_random_uuid(), is_settled = false, since = excluded.since, read_at = excluded.read_at
      where not reading_feeds.is_on
    returning company_id`.execute(ctx.tx)
  if (rows.length > 0) await noteCompany(ctx)
  else await noteReadingsRead(ctx, now)
}

const noteReadingsRead = ({ tx, companyId }: TenantTx, now: Date) =>
  sql`update reading_feeds set read_at = ${now}
    where company_id = ${companyId} and read_at < ${new Date(now.getTime() - hourMs)}`.execute(tx)

/** Notes that the feed of this epoch is settled. */
export const noteSettled = ({ tx, companyId }: TenantTx, { epoch }: ReadingFeed) =>
  sql`update reading_feeds set is_settled = true where company_id = ${companyId} and left(epoch::text, 8) = ${epoch}`.execute(
    tx,
  )

/** As many arrivals are numbered at once: those of a month in one statement would hold the feed's row for minutes. */
export const maxNumbered = 20_000

/**
 * Numbers what arrived in transactions that are committed, the first `maxNumbered` of it, and says how many it were. The feed's row is locked by a statement of its own: the next one sees what whoever held
 * it numbered, so a number is given once, and seen by nobody before all that are lower.
 */
export async function numberArrivals(
  { tx, companyId }: TenantTx,
  now: Date,
): Promise<(ReadingFeed & { numbered: number }) | undefined> {
  await sql`select from reading_feeds where company_id = ${companyId} for no key update`.execute(tx)
  return firstRow<ReadingFeed & { numbered: number }>(tx)`
    with fresh as (
      select a.id, f.last_number + row_number() over (order by a.id) as number from reading_arrivals a
      join reading_feeds f on f.company_id = a.company_id
      where a.company_id = ${companyId} and a.number is null order by a.id limit ${maxNumbered}),
    numbered as (update reading_arrivals a set number = fresh.number, numbered_at = ${now} from fresh
      where a.company_id = ${companyId} and a.id = fresh.id)
    update reading_feeds set last_number = greatest(last_number, (select max(number) from fresh))
    where company_id = ${companyId} and is_on returning ${columns}, (select count(*)::int from fresh) as numbered`
}

/** The mark of an arrival by its number, which tells it from one of the same number before a restore; 0 is that of no arrival yet. */
export async function stampOf({ tx, companyId }: TenantTx, number: string): Promise<number | undefined> {
  const row = await firstRow<{ stamp: number | null }>(tx)`
    select case when ${number}::int8 = 0 then case when not exists (select from reading_arrivals
          where company_id = ${companyId} and number > 1) or exists (select from reading_arrivals
          where company_id = ${companyId} and number = 1) then 0 end
      else (select stamp from reading_arrivals where company_id = ${companyId} and number = ${number}::int8) end as stamp`
  return row?.stamp ?? undefined
}

// A transaction of a lane looks for changes first (`change-reader.ts`): it has this lock from then to its end.
const lanesText = `
select distinct l.virtualtransaction as transaction from pg_locks l
where l.relation = 'settings_changes'::regclass and l.database = (select oid from pg_database where datname = current_database())
  and exists (select from pg_locks lane where lane.pid = l.pid and lane.locktype = 'advisory' and lane.classid in (4919, 4920))`

/** The transactions of lanes that may have read the settings before now. */
export const lanesAtWork = async (tx: Tx): Promise<string[]> =>
  (await sql.raw<{ transaction: string }>(lanesText).execute(tx)).rows.map((row) => row.transaction)

/**
 * Forgets arrivals that were superseded before a time: of those numbered before it all but the last, from which a cursor may still go on. As pipeline;
 * returns how many.
 */
export async function forgetArrivals(tx: Tx, before: Date, atMost: number): Promise<number> {
  const rows = await allRows(tx)`
    with old as (
      select a.company_id, a.id from reading_arrivals a where a.numbered_at < ${before} and a.number < (
        select max(l.number) from reading_arrivals l where l.company_id = a.company_id and l.numbered_at < ${before})
      limit ${atMost})
    delete from reading_arrivals a using old where a.company_id = old.company_id and a.id = old.id returning a.id`
  return rows.length
}

/** Switches off the feeds that nobody has read since a time; their companies. As pipeline. */
export const switchReadingsOff = async (tx: Tx, unreadSince: Date): Promise<number[]> =>
  (
    await allRows<{ company_id: number }>(tx)`
      update reading_feeds set is_on = false where is_on and read_at < ${unreadSince} returning company_id`
  ).map(({ company_id }) => company_id)

/** Deletes arrivals of companies whose feed is off. As pipeline; returns how many. */
export async function dropArrivals(tx: Tx, atMost: number): Promise<number> {
  const rows = await allRows(tx)`
    with old as (select a.company_id, a.id from reading_arrivals a
      join reading_feeds f on f.company_id = a.company_id and not f.is_on limit ${atMost})
    delete from reading_arrivals a using old where a.company_id = old.company_id and a.id = old.id returning a.id`
  return rows.length
}
