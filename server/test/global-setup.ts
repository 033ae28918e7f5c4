import { mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { loadPorts } from '../src/core/ports/load-ports.ts'
import { systemClock } from '../src/platform/clock/clock.ts'
import { stopLeftOver } from '../src/platform/db/embedded/postmaster.ts'
import { isAlive } from '../src/platform/db/embedded/processes.ts'
import { startEmbedded } from '../src/platform/db/embedded/supervisor.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createPool } from '../src/platform/db/pool.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createDatabase } from './database.ts'
import { demandChanges } from './demand-changes.ts'

/** Each project has its own, so that none sweeps away what another is using. */
const prefixOf = (projectName: string) => `isotherm-${projectName}-test-`

/**
 * One PostgreSQL for each project of a run, with one migrated template database; test files clone it (database.ts).
 * TEST_DATABASE_URL runs the same tests on a PostgreSQL of one's own (role with CREATEDB and CREATEROLE).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = process.env.TEST_DATABASE_URL
    ? borrowed(process.env.TEST_DATABASE_URL)
    : await own(project.name)
  try {
    const template = await createDatabase(url, templateOf(project.name), 'template0')
    await migrate(template.url)
    await withPorts(template.url)
    await demandChanges(template.url)
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('maintenanceUrl', url)
  project.provide('template', templateOf(project.name))
  return stop
}

/** Each project has its own: with TEST_DATABASE_URL all are in one cluster. */
const templateOf = (projectName: string) => `isotherm_template_${projectName}`

/** The ports of the world, as every start of a server loads them. */
async function withPorts(url: string): Promise<void> {
  const pool = createPool(url, 1, console.warn)
  await loadPorts({ pool, clock: systemClock, log: createLog('silent') })
  await pool.end()
}

const borrowed = (url: string) => ({ url, stop: async () => {} })

async function own(projectName: string) {
  const prefix = prefixOf(projectName)
  await sweep(prefix)
  const dataDir = join(tmpdir(), `${prefix}${process.pid}`)
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
async function sweep(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue
    const dir = join(tmpdir(), name)
    await stopLeftOver(join(dir, 'postgres/cluster'))
    await rm(dir, { recursive: true, force: true })
  }
}
