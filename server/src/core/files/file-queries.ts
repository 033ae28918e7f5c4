import { sql } from 'kysely'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { fileColumns } from './file-columns.ts'

const columns = Object.entries(fileColumns).flatMap(([table, names]) => names.map((name) => [table, name] as const))

/** Which of these keys a row of any company names; `tx` of role `pipeline`. */
export async function namedAmong(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  const selects = columns.map(
    ([table, name]) =>
      sql`select ${sql.ref(name)} as key from ${sql.table(table)} where ${sql.ref(name)} = any(${keys})`,
  )
  const rows = await allRows<{ key: string }>(tx)`${sql.join(selects, sql` union all `)}`
  return new Set(rows.map(({ key }) => key))
}
