import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { nodesNow } from '../cluster/node-queries.ts'
import { StartRefused } from '../errors/start-refused.ts'
import { locksOfAll } from './advisory-locks.ts'
import { connectionOf } from './connection.ts'

const folder = new URL('../../../migrations/', import.meta.url)
// Any two servers that start together must agree on one number.

export interface Migration {
  name: string
  text: string
  /** SHA-256 of the text. */
  hash: string
  /** Servers of the version before go on with a database that has it: its text has the line `-- compatible: yes`. */
  isCompatible: boolean
}

/** The migrations in their order. */
export async function migrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      return { name, text, hash, isCompatible: /^-- compatible: yes$/m.test(text) }
    }),
  )
}

/**
 * A login of PostgreSQL 15 that inherits nothing (see 0030_bare_login.sql) may not create tables in a new database of its own: it
 * holds the schema through the role pg_database_owner, and grants it to itself.
 */
async function openSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isClosed: boolean }>(
    `select current_setting('server_version_num')::int < 160000
        and not has_schema_privilege(current_user, 'public', 'create') as "isClosed"`,
  )
  if (!rows[0]?.isClosed) return
  const login = client.escapeIdentifier(client.user ?? '')
  await client.query(
    `begin; set local role pg_database_owner; grant usage, create on schema public to ${login}; commit`,
  )
}

/** The servers that run now. */
async function livingNodes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('nodes') is not null as exists`)
  if (!rows[0]?.exists) return []
  return (await nodesNow(client)).filter((node) => node.is_alive).map(({ name, address }) => `${name} at ${address}`)
}

// Asked first: the change itself would wait for whoever reads the table, at every start.
const markSql = `
do $$ begin
  if not exists (select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'is_compatible') then
    alter table schema_migrations add column is_compatible boolean not null default false;
  end if;
end $$`

interface Applied {
  name: string
  hash: string
  is_compatible: boolean
}

/**
 * Brings the database up to the newest migration, each in a transaction of its own, one server at a time. Goes on with a database that is ahead
 * by compatible migrations only. Throws when an applied migration was edited, when the database is ahead by others, or when servers run that a
 * migration is not compatible with.
 */
export async function migrate(databaseUrl: string, log: (text: string) => void = () => {}): Promise<void> {
  const client = new pg.Client(connectionOf(databaseUrl))
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [locksOfAll.migrations])
    await openSchema(client)
    await client.query(
      'create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    await client.query(markSql)
    const { rows } = await client.query<Applied>('select name, hash, is_compatible from schema_migrations')
    const applied = new Map(rows.map((row) => [row.name, row]))
    const pending: Migration[] = []
    for (const migration of await migrations()) {
      const before = applied.get(migration.name)
      applied.delete(migration.name)
      if (!before) pending.push(migration)
      else if (before.hash !== migration.hash)
        throw new StartRefused(
          `Migration ${migration.name} was changed after it had been applied; migrations are forward-only.`,
        )
    }
    refuseAhead([...applied.values()], log)
    const blocking = pending.filter(({ isCompatible }) => !isCompatible)
    const nodes = blocking.length > 0 ? await livingNodes(client) : []
    if (nodes.length > 0)
      throw new StartRefused(
        `Servers of an older version run (${nodes.join(', ')}), and ${blocking.map(({ name }) => name).join(', ')} would break them: stop them all first.`,
      )
    for (const { name, text, hash, isCompatible } of pending) {
      log(`migrating ${name}`)
      await client.query('begin')
      await client.query(text)
      await client.query('insert into schema_migrations (name, hash, is_compatible) values ($1, $2, $3)', [
        name,
        hash,
        isCompatible,
      ])
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
}

/** Migrations of a later version: a rolling upgrade has begun, or somebody went back a version. */
function refuseAhead(unknown: readonly Applied[], log: (text: string) => void): void {
  const names = unknown.map(({ name }) => name).join(', ')
  if (unknown.some((row) => !row.is_compatible))
    throw new StartRefused(`The database is ahead of this version: it has ${names}.`)
  if (names) log(`the database is ahead of this version by ${names}, which it can go on with`)
}
