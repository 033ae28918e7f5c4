import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from './database.ts'

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('two test databases are migrated and know nothing of each other', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()])
  await ask(one.url, 'create table only_here ()')
  expect(await ask(one.url, `select to_regclass('only_here')::text as found`)).toEqual([{ found: 'only_here' }])
  expect(await ask(two.url, `select to_regclass('only_here')::text as found`)).toEqual([{ found: null }])
  expect(await ask(two.url, 'select count(*) > 0 as migrated from schema_migrations')).toEqual([{ migrated: true }])
  await Promise.all([one.drop(), two.drop()])
  await expect(ask(one.url, 'select 1')).rejects.toThrow('does not exist')
})
