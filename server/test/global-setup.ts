import { mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { stopLeftOver } from '../src/platform/db/embedded/postmaster.ts'
import { isAlive } from '../src/platform/db/embedded/processes.ts'
import { startEmbedded } from '../src/platform/db/embedded/supervisor.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createDatabase, TEMPLATE } from './database.ts'

const PREFIX = 'isotherm-test-'

/**
 * One PostgreSQL for the whole run with one migrated template database; test files clone it (database.ts).
 * TEST_DATABASE_URL runs the same tests on a PostgreSQL of one's own (role with CREATEDB and CREATEROLE).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = process.env.TEST_DATABASE_URL ? borrowed(process.env.TEST_DATABASE_URL) : await own()
  try {
    const template = await createDatabase(url, TEMPLATE, 'template0')
    await migrate(template.url)
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('maintenanceUrl', url)
  return stop
}

const borrowed = (url: string) => ({ url, stop: async () => {} })

async function own() {
  await sweep()
  const dataDir = join(tmpdir(), `${PREFIX}${process.pid}`)
  await mkdir(dataDir, { mode: 0o711 })
  const { url, stop } = await startEmbedded({
    dataDir,
    log: { info: () => {}, warn: console.warn, error: console.error },
    roleAttributes: 'CREATEDB',
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  return {
    url,
    stop: async () => {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Stops and removes what runs that were killed have left. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length)))) continue
    const dir = join(tmpdir(), name)
    await stopLeftOver(join(dir, 'postgres/cluster'))
    await rm(dir, { recursive: true, force: true })
  }
}
