import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount } from '../src/platform/db/embedded/account.ts'
import { spawnOptions } from '../src/platform/db/embedded/cluster.ts'
import { freePort } from './free-port.ts'

const debian = '/usr/lib/postgresql'

/** The folder of PostgreSQL's programs, those that make a standby among them; the embedded binaries lack some. `PG_BIN` names it. */
export function programs(): string | null {
  const installed = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env.PG_BIN ?? '', ...installed.map((version) => join(debian, version, 'bin'))]
  return folders.find((folder) => folder !== '' && existsSync(join(folder, 'pg_basebackup'))) ?? null
}

/** Why tests of a standby are left out. */
export const noPrograms = 'PostgreSQL with pg_basebackup is not installed (apt-get install postgresql, or PG_BIN)'

const account = () => chooseAccount()

/** A PostgreSQL server on loopback that a test may kill, hang and promote. */
export class TestServer {
  readonly port: number
  readonly #bin: string
  readonly #folder: string
  #child: ChildProcess | null = null

  constructor(bin: string, folder: string, port: number) {
    this.#bin = bin
    this.#folder = folder
    this.port = port
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get name(): string {
    return `127.0.0.1:${this.port}`
  }

  url(role = 'isotherm', database = 'isotherm'): string {
    return `postgres://${role}@${this.name}/${database}`
  }

  async start(): Promise<void> {
    const child = spawn(join(this.#bin, 'postgres'), ['-D', this.#folder, '-c', `port=${this.port}`], {
      ...spawnOptions(account()),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    let words = ''
    child.stderr?.on('data', (chunk) => {
      words = `${words}${chunk}`.slice(-4_000)
    })
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}: ${words}`)
      const isThere = await this.ask('select 1', 'postgres').then(
        () => true,
        () => false,
      )
      if (isThere) return
      await sleep(50)
    }
  }

  /** As superuser. */
  async ask<Row extends pg.QueryResultRow>(sql: string, database = 'isotherm'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url('postgres', database), connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Takes effect at once. */
  async set(name: string, value: string): Promise<void> {
    await this.ask(`alter system set ${name} = '${value}'`)
    await this.ask('select pg_reload_conf()')
  }

  async promote(): Promise<void> {
    await this.ask('select pg_promote(true, 30)', 'postgres')
  }

  /** Ends it at once with all of its processes, as a machine that loses its power. */
  async kill(): Promise<void> {
    const pids = [this.pid, ...this.children().map(({ pid }) => pid)]
    const exited = new Promise((resolve) => this.#child?.once('exit', resolve))
    for (const pid of pids) signal(pid, 'SIGKILL')
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await exited
    this.#child = null
  }

  async stop(): Promise<void> {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    for (const { pid } of this.children()) signal(pid, 'SIGCONT')
    const exited = new Promise((resolve) => this.#child?.once('exit', resolve))
    signal(this.pid, 'SIGCONT')
    signal(this.pid, 'SIGINT')
    await exited
    this.#child = null
  }

  /** Its processes, by what each does: `walsender`, for example. */
  children(): { pid: number; title: string }[] {
    const { stdout } = spawnSync('ps', ['--ppid', String(this.pid), '-o', 'pid=,args='], { encoding: 'utf8' })
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ pid: Number.parseInt(line, 10), title: line.trim().replace(/^\d+\s+/, '') }))
  }

  /** Hangs what sends the log to standbys, or lets it go on. */
  hangSenders(isHanging: boolean): void {
    for (const { pid, title } of this.children())
      if (title.includes('walsender')) signal(pid, isHanging ? 'SIGSTOP' : 'SIGCONT')
  }
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    if (pid > 0) process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

/** A primary and its standby, which is synchronous or not; both end and go with `stop`. */
export interface PostgresPair {
  primary: TestServer
  standby: TestServer
  /** An address with both hosts. */
  url: string
  stop(): Promise<void>
}

export async function startPair(
  { synchronous }: { synchronous: boolean },
  settings: Record<string, string> = {},
): Promise<PostgresPair> {
  const bin = programs()
  if (!bin) throw new Error(noPrograms)
  const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'isotherm-pair-'))
  await chmod(folder, 0o755)
  const [a, b] = [join(folder, 'a'), join(folder, 'b')]
  for (const each of [a, b]) await own(each)
  run(bin, 'initdb', ['-D', a, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C', '--no-sync'])
  const all = {
    ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '', wal_level: 'replica', max_wal_senders: '5' },
    ...{ max_connections: '200', shared_buffers: '64MB', hot_standby: 'on', wal_receiver_status_interval: '1s' },
    ...{ wal_retrieve_retry_interval: '200ms', ...settings },
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'`)
  await appendFile(join(a, 'postgresql.conf'), `\n${lines.join('\n')}\n`)
  const primary = new TestServer(bin, a, await freePort())
  const standby = new TestServer(bin, b, await freePort())
  const stop = async () => {
    await Promise.all([standby.stop(), primary.stop()])
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await primary.start()
    for (const sql of [
      'create role isotherm login createrole noinherit',
      'grant pg_monitor to isotherm',
      'create database isotherm owner isotherm',
    ])
      await primary.ask(sql, 'postgres')
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
    run(bin, 'pg_basebackup', ['-D', b, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
    await standby.start()
    // Only now: commits would wait for a standby that is not there.
    if (synchronous) await primary.set('synchronous_standby_names', 'standby')
    const kind = synchronous ? 'sync' : 'async'
    const follows = `select from pg_stat_replication where state = 'streaming' and sync_state = '${kind}'`
    await until(async () => (await primary.ask(follows)).length > 0, 120_000)
    return { primary, standby, url: `postgres://isotherm@${primary.name},${standby.name}/isotherm`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Asks until it is so. */
export async function until(is: () => Promise<boolean> | boolean, ms = 30_000): Promise<void> {
  for (const end = Date.now() + ms; !(await is()); ) {
    if (Date.now() > end) throw new Error('it did not come to pass in time')
    await sleep(50)
  }
}

async function own(folder: string) {
  await mkdir(folder, { mode: 0o700 })
  const ours = account()
  if (ours) await chown(folder, ours.uid, ours.gid)
}

function run(bin: string, program: string, args: string[]) {
  const { status, stderr } = spawnSync(join(bin, program), args, { ...spawnOptions(account()), encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}
