import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database to connect to for making others; its role may create databases and roles. */
    maintenanceUrl: string
    /** The name of the database to clone. */
    template: string
  }
}

/** A database of one test file; `drop` also ends what is still connected to it. */
export type TestDatabase = { url: string; drop(): Promise<void> }

/** A fresh, migrated, empty database, cloned from the template. `url` logs in as its owner, as the server does. */
export function testDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('maintenanceUrl'), `test_${randomBytes(6).toString('hex')}`, inject('template'))
}

export async function createDatabase(maintenanceUrl: string, name: string, template: string): Promise<TestDatabase> {
  const url = new URL(maintenanceUrl)
  url.pathname = `/${name}`
  await dropDatabase(maintenanceUrl, name)
  await maintain(maintenanceUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  return { url: url.href, drop: () => dropDatabase(maintenanceUrl, name) }
}

/** An autovacuum worker counts as a superuser's session, which FORCE may not end; it leaves by itself when asked again. */
const FORCE_REFUSED = '42501'

async function dropDatabase(maintenanceUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await maintain(maintenanceUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    } catch (error) {
      if (attempt === 20 || !(error instanceof pg.DatabaseError && error.code === FORCE_REFUSED)) throw error
      await setTimeout(250)
    }
  }
}

async function maintain(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
