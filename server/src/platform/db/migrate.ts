import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { connectionOf } from './connection.ts'

const folder = new URL('../../../migrations/', import.meta.url)
// Any two servers that start together must agree on one number.
const migrationLock = 4_919_001

/** The migrations in their order, as name, text and SHA-256 of the text. */
export async function migrations(): Promise<{ name: string; text: string; hash: string }[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
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

/**
 * Brings the database up to the newest migration, each in a transaction of its own, one server at a time.
 * Throws when an applied migration was edited, or the database is ahead of this code.
 */
export async function migrate(databaseUrl: string, log: (text: string) => void = () => {}): Promise<void> {
  const client = new pg.Client(connectionOf(databaseUrl))
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await openSchema(client)
    await client.query(
      'create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations')
    const applied = new Map(rows.map((row) => [row.name, row.hash]))
    for (const { name, text, hash } of await migrations()) {
      const before = applied.get(name)
      applied.delete(name)
      if (before === hash) continue
      if (before)
        throw new Error(`Migration ${name} was changed after it had been applied; migrations are forward-only.`)
      log(`migrating ${name}`)
      await client.query('begin')
      await client.query(text)
      await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash])
      await client.query('commit')
    }
    const unknown = [...applied.keys()]
    if (unknown.length > 0) throw new Error(`The database is ahead of this version: it has ${unknown.join(', ')}.`)
  } finally {
    await client.end()
  }
}
