import { expect, onTestFinished, test } from 'vitest'
import { createPool } from '../src/platform/db/pool.ts'
import { testDatabase } from './database.ts'

/** Tables with the columns by which statements look them up, for each of many rows. */
const lookups = [
  ['device_commands', 'company_id', 'device_id'],
  ['order_insurances', 'company_id', 'order_id'],
] as const

test('what is looked up for each of many rows has an index of its own, of all rows of its table', async () => {
  const database = await testDatabase()
  const pool = createPool(database.url, 1, () => {})
  onTestFinished(async () => {
    await pool.end()
    await database.drop()
  })
  for (const [table, ...columns] of lookups) {
    const { rows } = await pool.query<{ columns: string[] }>(
      `select array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality as k (number, place)
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by k.place) as columns
       from pg_index i where i.indrelid = to_regclass($1) and i.indpred is null`,
      [table],
    )
    expect(
      rows.map((index) => index.columns.slice(0, columns.length)),
      table,
    ).toContainEqual(columns)
  }
})
