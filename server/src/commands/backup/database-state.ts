import pg from 'pg'
import { connectionOf } from '../../platform/db/connection.ts'
import type { Manifest } from './manifest.ts'

/** The version of PostgreSQL, the migrations that were applied, and the size of all databases of the cluster in bytes. */
export type DatabaseState = NonNullable<Manifest['database']> & { bytes: number }

/** The manifest's facts about a database, asked of the running server. */
export async function databaseState(url: string): Promise<DatabaseState> {
  const client = new pg.Client(connectionOf(url))
  await client.connect()
  try {
    const about = await client.query(
      `select split_part(current_setting('server_version'), ' ', 1) as version,
         (select sum(pg_database_size(oid)) from pg_database)::float8 as bytes,
         to_regclass('schema_migrations') is not null as migrated`,
    )
    const { version, bytes, migrated } = about.rows[0]
    const migrations = migrated
      ? (await client.query('select name, hash from schema_migrations order by name')).rows
      : []
    return { postgres: version, migrations, bytes }
  } finally {
    await client.end()
  }
}
