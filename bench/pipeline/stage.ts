import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { heapFlags, memoryVariables } from '../../scripts/run/heap-flags.mjs'
import { startEmbedded } from '../../server/src/platform/db/embedded/supervisor.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'

const root = new URL('../../', import.meta.url).pathname

/** Runs this script again on two cores only, with all it will start: server, PostgreSQL and load generator. */
export function onTwoCores(): void {
  if (process.env.BENCH_PINNED || process.env.BENCH_CORES === 'all') return
  const cores = process.env.BENCH_CORES ?? '0,1'
  const { status } = spawnSync(
    'taskset',
    ['-c', cores, process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    {
      stdio: 'inherit',
      env: { ...process.env, BENCH_PINNED: cores },
    },
  )
  process.exit(status ?? 1)
}

export interface BenchServer {
  process: ChildProcess
  httpPort: number
  mqttPort: number
  /** Highest resident memory so far, MB. */
  peakMb(): number
}

export interface Stage {
  databaseUrl: string
  /** Speaks the replication protocol. */
  backupUrl: string | null
  databasePid(): number
  /** Stops PostgreSQL as an operator does, and starts it again at the same address once `meanwhile` is over. */
  restartDatabase(meanwhile: () => Promise<void>): Promise<void>
  /** Removed at the end, with the data folder of PostgreSQL in it. */
  folder: string
  dataDir: string
  /** Those that PostgreSQL has besides the ones that we ship. */
  settings: Record<string, string>
  stopDatabase(): Promise<void>
  client: pg.Client
  /** `entry` replaces the server's own main.ts; `output`, an open file, takes what it prints. */
  startServer(env?: Record<string, string>, nodeArgs?: string[], entry?: string, output?: number): Promise<BenchServer>
  connect(): Promise<pg.Client>
  stop(): Promise<void>
}

/** A PostgreSQL of its own with the settings we ship, migrated and empty, in a folder that is removed at the end. `prepare` may migrate it otherwise. */
export async function openStage(
  ports: { http: number; mqtt: number },
  prepare: (databaseUrl: string) => Promise<unknown> = migrate,
): Promise<Stage> {
  const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'isotherm-bench-'))
  await chmod(folder, 0o755)
  const quiet = () => {}
  // For looking inside: BENCH_SETTINGS='{"shared_preload_libraries": "auto_explain", ...}'.
  const settings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}')
  const dataDir = join(folder, 'data')
  const start = () => startEmbedded({ dataDir, log: { info: quiet, warn: quiet, error: console.error }, settings })
  let database = await start()
  await prepare(database.url)
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', quiet)
    await client.connect()
    return client
  }
  const client = await connect()
  // Benches fill and look into tenants' tables as the login; the server never does.
  await client.query('grant app, pipeline to current_user with inherit true')
  const servers: ChildProcess[] = []
  return {
    databaseUrl: database.url,
    backupUrl: database.backupUrl,
    databasePid: () => database.pid(),
    stopDatabase: () => database.stop(),
    async restartDatabase(meanwhile) {
      const { url } = database
      await database.stop()
      await meanwhile()
      database = await start()
      if (database.url !== url) throw new Error('PostgreSQL came back at another address')
    },
    folder,
    dataDir,
    settings,
    client,
    connect,
    async startServer(env = {}, nodeArgs = [], entry = join(root, 'server/src/main.ts'), output?: number) {
      if (await isTaken(ports.http)) throw new Error(`port ${ports.http} is taken: an earlier run was cut off?`)
      const child = spawn(process.execPath, [...heapFlags(), ...nodeArgs, entry, 'start'], {
        env: {
          ...process.env,
          ...memoryVariables(),
          NODE_ENV: 'production',
          DATABASE_URL: database.url,
          DATA_DIR: join(folder, 'server'),
          HOST: '127.0.0.1',
          PORT: String(ports.http),
          MQTT_PORT: String(ports.mqtt),
          METRICS_PORT: 'off',
          LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
          ...env,
        },
        stdio: ['ignore', output ?? 'inherit', output ?? 'inherit'],
      })
      servers.push(child)
      // One that is too late keeps the port: whoever tries again needs it.
      await untilReady(ports.http, child).catch(async (error: unknown) => {
        await ended(child, 'SIGKILL')
        throw error
      })
      return { process: child, httpPort: ports.http, mqttPort: ports.mqtt, peakMb: () => peakOf(child.pid ?? 0) }
    },
    async stop() {
      for (const child of servers) await ended(child, 'SIGTERM')
      await client.end().catch(quiet)
      await database.stop()
      if (process.env.BENCH_KEEP) console.log(folder)
      else await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A server's first start builds its map, which takes a core for some seconds. */
export async function settled(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/tiles/sources`)
    const { basemap } = (await answer.json()) as { basemap?: unknown }
    if (basemap) return
    await sleep(200)
  }
}

/** Ends a process and waits until it has. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exited
}

const isTaken = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )

async function untilReady(port: number, child: ChildProcess) {
  for (let tries = 0; tries < 2_400; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null)
    if (answer?.ok) return
    await sleep(50)
  }
  throw new Error('the server did not come up')
}

/** Highest resident memory of a process so far, MB. */
export function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
