import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/** A change of a list in which no row is edited: one ends where the next begins. */
export interface DatedChange {
  table: RawBuilder<unknown>
  /** The type of its instants: a day, or a moment. */
  type: 'date' | 'timestamptz'
  /** The condition of rows that follow one another. */
  key: RawBuilder<boolean>
  /** Since when the change counts, as text. */
  from: string
  /** Inserts what follows; left out where nothing does. */
  insert?: (from: string, to: string | null) => Promise<unknown>
}

/** There is a row from that instant already, which is not edited. */
export class AlreadyDated extends Error {}
/** The change would count from before an instant at which there was a row. */
export class InThePast extends Error {}

/**
 * Ends the row that is in force at an instant and inserts the next one, which lasts until one that was planned for later. What was
 * in force until now stays as it was. Throws AlreadyDated or InThePast. As the login role.
 */
export async function setDated(tx: Tx, { table, type, key, from, insert }: DatedChange, now: Date): Promise<void> {
  await sql`lock table ${table} in share row exclusive mode`.execute(tx)
  const at = sql`${from}::${sql.raw(type)}`
  const { rows } = await sql<{ same: boolean; known: boolean; next: string | null }>`select
    exists (select from ${table} where ${key} and valid_from = ${at}) as same,
    exists (select from ${table} where ${key} and valid_from < ${now}::${sql.raw(type)}) as known,
    (select min(valid_from)::text from ${table} where ${key} and valid_from > ${at}) as next`.execute(tx)
  const [found] = rows
  if (found?.same) throw new AlreadyDated()
  const { rows: past } = await sql<{ is_past: boolean }>`select ${at} < ${now}::${sql.raw(type)} as is_past`.execute(tx)
  if (found?.known && past[0]?.is_past) throw new InThePast()
  await sql`update ${table} set valid_to = ${at}
    where ${key} and valid_from < ${at} and (valid_to is null or valid_to > ${at})`.execute(tx)
  await insert?.(from, found?.next ?? null)
}
