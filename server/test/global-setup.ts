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

const prefix = 'isotherm-test-'
const template = 'isotherm_template'

/** A PostgreSQL with a migrated template. */
interface TestCluster {
  url: string
  stop(): Promise<void>
}

/** The cluster of this run. Each project reads this module by itself, and making another one would take three seconds. */
const run = globalThis as { isothermTestCluster?: { made: Promise<TestCluster>; users: number } }

/**
 * One PostgreSQL for all projects of a run, with one migrated template database; test files clone it (database.ts).
 * TEST_DATABASE_URL runs the same tests on a PostgreSQL of one's own (role with CREATEDB and CREATEROLE).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.isothermTestCluster ??= { made: make(), users: 0 }
  const shared = run.isothermTestCluster
  const { url, stop } = await shared.made
  shared.users += 1
  project.provide('maintenanceUrl', url)
  project.provide('template', template)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    delete run.isothermTestCluster
    await stop()
  }
}

async function make(): Promise<TestCluster> {
  const cluster = process.env.TEST_DATABASE_URL ? borrowed(process.env.TEST_DATABASE_URL) : await own()
  try {
    const { url } = await createDatabase(cluster.url, template, 'template0')
    await migrate(url)
    await withPorts(url)
    await demandChanges(url)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

/** The ports of the world, as every start of a server loads them. */
async function withPorts(url: string): Promise<void> {
  const pool = createPool(url, 1, console.warn)
  await loadPorts({ pool, clock: systemClock, log: createLog('silent') })
  await pool.end()
}

const borrowed = (url: string) => ({ url, stop: async () => {} })

async function own(): Promise<TestCluster> {
  await sweep()
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
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue
    const dir = join(tmpdir(), name)
    await stopLeftOver(join(dir, 'postgres/cluster'))
    await rm(dir, { recursive: true, force: true })
  }
}
