import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate, migrations } from '../src/platform/db/migrate.ts'
import { createDatabase, type TestDatabase } from './database.ts'

const name = `test_${randomBytes(6).toString('hex')}`
let old: TestDatabase
let neighbour: TestDatabase

beforeAll(async () => {
  old = await createDatabase(inject('maintenanceUrl'), name, 'template0')
  await migrateBefore(old.url)
  neighbour = await createDatabase(inject('maintenanceUrl'), `${name}_b`, name)
})
afterAll(async () => {
  await old.drop()
  await neighbour.drop()
})

/** Brings a database to the last state in which the role of the pipeline was called pipeline. */
async function migrateBefore(url: string): Promise<void> {
  await on(url, async (client) => {
    await client.query(
      'create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    for (const { name, text, hash } of await migrations()) {
      if (name >= '0035') return
      await client.query('begin')
      await client.query(text)
      await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash])
      await client.query('commit')
    }
  })
}

async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const rightsOf = (url: string, role: string) =>
  on(url, async (client) => {
    const { rows } = await client.query<{ what: string }>(
      `select c.relname || ' ' || g.privilege_type as what from pg_class c, aclexplode(c.relacl) g where g.grantee = $1::regrole
       union all select a.attrelid::regclass || '.' || a.attname || ' ' || g.privilege_type
         from pg_attribute a, aclexplode(a.attacl) g where g.grantee = $1::regrole
       union all select tablename || ' policy ' || cmd || ' ' || qual from pg_policies where $1::name = any(roles)
       union all select nspname || ' ' || g.privilege_type from pg_namespace, aclexplode(nspacl) g where g.grantee = $1::regrole
       order by 1`,
      [role],
    )
    return rows.map(({ what }) => what)
  })

const countAs = (url: string, role: string) =>
  on(url, async (client) => {
    await client.query(`begin; set local role ${role}`)
    return (await client.query('select count(*)::int as n from devices')).rows[0].n
  })

test('a database of before keeps every right of its pipeline under the new role, and the old role has none', async () => {
  const before = await rightsOf(old.url, 'road')
  expect(before.length).toBeGreaterThan(80)
  expect(await rightsOf(old.url, 'pipeline')).toEqual([])
  await migrate(old.url)
  expect(await rightsOf(old.url, 'road')).toEqual([])
  expect(await rightsOf(old.url, 'pipeline')).toEqual(expect.arrayContaining(before))
  expect(await countAs(old.url, 'pipeline')).toBe(0)
  await expect(countAs(old.url, 'road')).rejects.toThrow('permission denied')
})

test('a database of the same cluster that has not migrated goes on with the old role, and migrates later', async () => {
  expect(await countAs(neighbour.url, 'road')).toBe(0)
  await migrate(neighbour.url)
  expect(await rightsOf(neighbour.url, 'pipeline')).toEqual(await rightsOf(old.url, 'pipeline'))
})
