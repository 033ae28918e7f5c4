import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { migrate, migrations } from './migrate.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await testDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterEach(() => client.query(`delete from schema_migrations where name like '9%'; delete from nodes`))
afterAll(async () => {
  await client.end()
  await database.drop()
})

const later = (name: string, isCompatible: boolean) =>
  client.query('insert into schema_migrations (name, hash, is_compatible) values ($1, $2, $3)', [
    name,
    'a hash',
    isCompatible,
  ])

/** A server noted a sign of life so long ago. */
const node = (secondsAgo: number) =>
  client.query(
    `insert into nodes (id, name, address, version, secret_mark, started_at, beat_at, is_draining, held)
     values (gen_random_uuid(), 'north', '10.0.0.1:7400', '1', '', now(), now() - make_interval(secs => $1), false, '{}')`,
    [secondsAgo],
  )

/** As if the newest migration that breaks older servers had not been applied. */
async function withoutTheNewest(test: (name: string) => Promise<void>) {
  const newest = (await migrations()).filter(({ isCompatible }) => !isCompatible).at(-1)
  if (!newest) throw new Error('there is none')
  const { name, hash } = newest
  await client.query('delete from schema_migrations where name = $1', [name])
  await test(name)
  await client.query('insert into schema_migrations (name, hash) values ($1, $2) on conflict do nothing', [name, hash])
}

test('a server goes on with a database that is ahead by compatible migrations, and says so', async () => {
  await later('9001_later.sql', true)
  await later('9002_later.sql', true)
  const said: string[] = []
  await migrate(database.url, (text) => said.push(text))
  expect(said).toEqual([
    'the database is ahead of this version by 9001_later.sql, 9002_later.sql, which it can go on with',
  ])
})

test('a server refuses a database that is ahead by a migration that is not compatible', async () => {
  await later('9001_later.sql', true)
  await later('9002_later.sql', false)
  await expect(migrate(database.url)).rejects.toThrow(
    'The database is ahead of this version: it has 9001_later.sql, 9002_later.sql.',
  )
})

test('a migration that is not compatible waits for the servers that run to be stopped', async () => {
  await withoutTheNewest(async (name) => {
    await node(1)
    await expect(migrate(database.url)).rejects.toThrow(
      `Servers of an older version run (north at 10.0.0.1:7400), and ${name} would break them: stop them all first.`,
    )
    expect((await client.query('select 1 from schema_migrations where name = $1', [name])).rows).toEqual([])
  })
})

test('a server that died some seconds ago holds up no migration', async () => {
  await withoutTheNewest(async (name) => {
    await node(60)
    // The tables are there already: that it is tried is enough.
    await expect(migrate(database.url, (text) => expect(text).toBe(`migrating ${name}`))).rejects.toThrow(
      'already exists',
    )
  })
})

test('every migration since there are several nodes says whether it is compatible', async () => {
  const silent = (await migrations()).filter(
    ({ name, text }) => name > '0109' && !/^-- compatible: (yes|no)$/m.test(text),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})

/** They changed no row where there were any: later ones did it again, or the guard refuses what was to be taken away. */
const blind = ['0147_keys_without_people.sql']

test('a migration that changes rows of companies does so as a role that sees them', async () => {
  const { rows } = await client.query<{ name: string }>('select relname as name from pg_class where relrowsecurity')
  const isolated = new Set(rows.map(({ name }) => name))
  const change = /^(?:update|delete from|insert into)\s+(\w+)/gim
  const faulty = (await migrations()).filter(({ text }) =>
    [...text.matchAll(change)].some(
      ({ index, 1: table = '' }) =>
        isolated.has(table) &&
        !/set local role \w+|disable row level security|no force row level/i.test(text.slice(0, index)),
    ),
  )
  expect(faulty.map(({ name }) => name)).toEqual(blind)
})
