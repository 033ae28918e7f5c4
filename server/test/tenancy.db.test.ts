import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { bareLoginFault } from '../src/platform/db/bare-login.ts'
import type { Pool } from '../src/platform/db/pool.ts'
import { asLogin, asPipeline, inTenant } from '../src/platform/db/transaction.ts'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildUser } from './factories.ts'

const t = describeApp()

const rows = async (sql: string, values: unknown[] = []) => (await t.pool.query(sql, values)).rows

// Tables that name a company and yet stand outside the tenant wall, because nobody speaks for a company yet when
// they are read. No role but the login may touch them.
const walledOff = ['identities', 'licence_keys', 'api_key_secrets']

/** Tables as the tests see them: partitions only belong to their parents. */
const tables = (withCompany: boolean) =>
  rows(
    `select c.oid, c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id') = $1
      order by 2`,
    [withCompany],
  )
const tenantTables = async () => (await tables(true)).filter(({ name }) => !walledOff.includes(name))

const mayAnything = 'has_table_privilege($1::name, oid, $2)'
const privileged = (role: string, privileges: string, condition: string) =>
  rows(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          and ${mayAnything} and ${condition} order by 1`,
    [role, privileges],
  )

describe('every table that has a company_id', () => {
  test('forces row-level security, and lets the app role see its own company only', async () => {
    const found = await tenantTables()
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['companies', 'users', 'devices', 'readings']))
    expect(found.filter(({ enabled, forced }) => !enabled || !forced).map(({ name }) => name)).toEqual([])
    const policies = await rows(
      `select tablename as name, cmd, permissive, qual, with_check from pg_policies
        where schemaname = 'public' and ('app' = any(roles) or 'public' = any(roles))`,
    )
    for (const { name } of found) {
      const own = policies.filter((policy) => policy.name === name)
      expect(own, name).toMatchObject([
        { cmd: 'ALL', qual: '(company_id = current_company())', with_check: '(company_id = current_company())' },
      ])
    }
  })

  test('has company_id in every key and unique index', async () => {
    const found = await rows(
      `select i.indexrelid::regclass::text as name
         from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and i.indisunique
          and c.relname <> all($1)
          and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')
          and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id'
                            and a.attnum = any(i.indkey))`,
      [walledOff],
    )
    expect(found).toEqual([])
  })

  test('shows a tenant’s transaction no row of another company, and takes none for it', async () => {
    const [mine, theirs] = [await buildUser(t), await buildUser(t)]
    await Promise.all([mine, theirs].map(({ companyId }) => aDevice(t, { companyId })))
    await t.call('POST', '/auth/logout', { token: theirs.token })
    for (const { name } of await tenantTables())
      await inTenant(t.pool, mine.companyId, async ({ client }) => {
        const { rows: foreign } = await client.query(`select count(*)::int as n from ${name} where company_id <> $1`, [
          mine.companyId,
        ])
        expect(foreign[0].n, name).toBe(0)
      })
    const smuggle = inTenant(t.pool, mine.companyId, ({ client }) =>
      client.query(`insert into devices (company_id, name, type) values ($1, 'x', 'tracker')`, [theirs.companyId]),
    )
    await expect(smuggle).rejects.toThrow('row-level security')
    const rename = await inTenant(t.pool, mine.companyId, ({ client }) =>
      client.query(`update users set fullname = 'x'`),
    )
    expect(rename.rowCount).toBe(1)
  })
})

const listOf = (names: readonly string[]) => `relname in (${names.map((name) => `'${name}'`)})`

/** The same for everybody: read by all, written at the start of a server, or by the provider, alone. */
const worldWide = ['ports', 'device_types']

test('what is the same for everybody is read, and never written, by the roles of people and pipeline', async () => {
  for (const role of ['app', 'pipeline'])
    expect(await privileged(role, 'INSERT, UPDATE, DELETE, TRUNCATE', listOf(worldWide))).toEqual([])
  const { rows } = await inTenant(t.pool, 1, ({ client }) =>
    client.query(`select name from ports where code = 'ZADUR'`),
  )
  expect(rows).toEqual([{ name: 'Durban' }])
})

test('the tables outside the wall, and those without a company, cannot be read or changed by the app role', async () => {
  expect((await tables(true)).map(({ name }) => name)).toEqual(expect.arrayContaining(walledOff))
  const names = [...walledOff, ...(await tables(false)).map(({ name }) => name)].filter(
    (name) => !worldWide.includes(name),
  )
  expect(names).toEqual(expect.arrayContaining(['sessions', 'mail_tokens', 'hardware', 'schema_migrations']))
  expect(await privileged('app', 'SELECT, UPDATE, DELETE, TRUNCATE', listOf(names))).toEqual([])
  expect(await privileged('pipeline', 'SELECT, UPDATE, DELETE, TRUNCATE', listOf(walledOff))).toEqual([])
  const reading = inTenant(t.pool, 1, ({ client }) => client.query('select * from sessions'))
  await expect(reading).rejects.toThrow('permission denied')
})

test('no partition can be reached past its parent’s policy', async () => {
  await asLogin(t.pool, ({ client }) =>
    client.query(
      `create table readings_tenancy_test partition of readings for values from ('1999-01-01') to ('1999-02-01')`,
    ),
  )
  const every = 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE'
  for (const role of ['app', 'pipeline']) expect(await privileged(role, every, 'relispartition')).toEqual([])
  await expect(inTenant(t.pool, 1, readPartition)).rejects.toThrow('permission denied')
  await expect(asPipeline(t.pool, readPartition)).rejects.toThrow('permission denied')
})
const readPartition: Parameters<typeof asPipeline>[1] = ({ client }) =>
  client.query('select from readings_tenancy_test')

test('without a company set, the app role sees nothing', async () => {
  const client = await t.pool.connect()
  try {
    await client.query('begin; set local role app')
    for (const { name } of await tenantTables()) {
      const { rowCount } = await client.query(`select from ${name} limit 1`)
      expect(rowCount, name).toBe(0)
    }
    await client.query('rollback')
  } finally {
    client.release()
  }
})

test('the bare login reads and changes no row of any tenant’s table (M8)', async () => {
  const { companyId } = await aDevice(t)
  for (const { name } of await tenantTables()) {
    expect((await t.pool.query(`select from ${name} limit 1`)).rowCount, name).toBe(0)
    const changed = await t.pool.query(`update ${name} set company_id = company_id`).then(
      ({ rowCount }) => rowCount,
      (error: Error) => error.message,
    )
    if (changed !== 0) expect(changed, name).toMatch(/is append-only/)
  }
  const smuggle = t.pool.query(`insert into devices (company_id, name, type) values ($1, 'x', 'tracker')`, [companyId])
  await expect(smuggle).rejects.toThrow('row-level security')
  expect(await bareLoginFault(t.pool)).toBeNull()
})

test('a login that inherits the roles is told of at the start, and seen by the test above (M8)', async () => {
  const { companyId } = await aDevice(t)
  const client = await t.pool.connect()
  const pool = { query: (text: string) => client.query(text) } as unknown as Pool
  try {
    const [version] = await rows(`select current_setting('server_version_num')::int as number`)
    const inherit =
      version.number < 160_000
        ? 'alter role current_user inherit'
        : 'grant app, pipeline to current_user with inherit true'
    await client.query(`begin; ${inherit}`)
    const { rows: seen } = await client.query('select from devices where company_id = $1', [companyId])
    expect(seen).toHaveLength(1)
    expect(await bareLoginFault(pool)).toMatch(/inherits the roles app and pipeline/)
    // The migrations mend it, as at an installation of an earlier version.
    const text = await readFile(new URL('../migrations/0030_bare_login.sql', import.meta.url), 'utf8')
    await client.query(text.slice(0, text.indexOf('drop policy')))
    const role = await readFile(new URL('../migrations/0035_role_pipeline.sql', import.meta.url), 'utf8')
    await client.query(role.slice(0, role.indexOf('do $$\ndeclare')))
    expect((await client.query('select from devices')).rows).toHaveLength(0)
    expect(await bareLoginFault(pool)).toBeNull()
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('the former role of the pipeline keeps no right in a migrated database', async () => {
  const left = await rows(
    `select classid::regclass, objid from pg_shdepend
     where refobjid = 'road'::regrole and dbid = (select oid from pg_database where datname = current_database())`,
  )
  expect(left).toEqual([])
  const policies = await rows(`select policyname from pg_policies where 'road' = any(roles) or policyname = 'road_all'`)
  expect(policies).toEqual([])
})

test('app and pipeline own nothing, bypass nothing, and keep no company from one transaction to the next', async () => {
  expect(await rows(`select relname from pg_class where relowner in ('app'::regrole, 'pipeline'::regrole)`)).toEqual([])
  expect(
    await rows(
      `select rolname from pg_roles where rolname in ('app', 'pipeline') and (rolsuper or rolbypassrls or rolcanlogin)`,
    ),
  ).toEqual([])
  await inTenant(t.pool, 7, async () => {})
  const left = await rows(
    `select current_user = session_user as same, current_setting('app.company_id', true) as company`,
  )
  expect(left).toMatchObject([{ same: true }])
  expect(left[0].company ?? '').toBe('')
})

test('no function and no view lends its owner’s rights', async () => {
  const lent = await rows(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
       and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')
     union all
     select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
       and not coalesce(reloptions @> '{security_invoker=true}', false)`,
  )
  expect(lent).toEqual([])
})
