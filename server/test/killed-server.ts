import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readCredentials } from '../src/platform/db/embedded/credentials.ts'
import { readPidFile } from '../src/platform/db/embedded/processes.ts'
import { until } from './postgres-pair.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const maxBrokenStarts = 20
/** Much log for each row, so that segments come to their end. */
const fillerBytes = 12_000

/** A whole server in a process of its own, that keeps a backup and may be killed with its PostgreSQL. */
export class KilledServer {
  readonly #dataDir: string
  readonly #env: Record<string, string>
  #child: ChildProcess | null = null
  #complaint = ''
  #brokenStarts = 0

  constructor(dataDir: string, env: Record<string, string>) {
    this.#dataDir = dataDir
    this.#env = env
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [main, 'start'], {
      env: {
        ...{ PATH: process.env.PATH ?? '', DATA_DIR: this.#dataDir, HOST: '127.0.0.1', PORT: '0', MQTT_PORT: 'off' },
        ...{ METRICS_PORT: 'off', LOG_LEVEL: 'error', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' },
        ...this.#env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (chunk) => {
      this.#complaint = `${this.#complaint}${chunk}`.slice(-2_000)
    })
    this.#child = child
  }

  /** Whether the log is being received. A server whose start PostgreSQL's end has broken off is started again, as a service would be. */
  async isReceiving(): Promise<boolean> {
    if (this.#child && this.#child.exitCode !== null) {
      this.#brokenStarts += 1
      if (this.#brokenStarts > maxBrokenStarts) throw new Error(`the server ended: ${this.#complaint}`)
      await this.start()
    }
    const rows = await this.ask<{ active: boolean }>('select active from pg_replication_slots').catch(() => [])
    return rows[0]?.active === true
  }

  async login(): Promise<pg.Client> {
    const { password = '', port = 0 } = (await readCredentials(this.#dataDir)) ?? {}
    const client = new pg.Client({ connectionString: `postgres://isotherm:${password}@127.0.0.1:${port}/isotherm` })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  async ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = await this.login()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async killServer(): Promise<void> {
    await this.#end('SIGKILL')
  }

  killPostgres(): void {
    const running = readPidFile(join(this.#dataDir, 'postgres/cluster'))
    if (running) process.kill(running.pid, 'SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}

/** A row that was acknowledged: no later than `until`, and asked for no earlier than `from`. */
export interface AckedRow {
  n: number
  from: number
  until: number
}

/** Writes rows as fast as they are acknowledged, whatever becomes of the server, until it is stopped. */
export class RowWriter {
  readonly acked: AckedRow[] = []
  /** Of `acked`, so many were reported to PostgreSQL as stored. */
  stored = 0
  readonly #server: KilledServer
  #isOver = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(server: KilledServer) {
    this.#server = server
  }

  async start(): Promise<void> {
    await this.#server.ask(
      'create table killed_rows (n int8 primary key, filler bytea); alter table killed_rows alter filler set storage external',
    )
    this.#running = Promise.all([this.#write(), this.#watch()])
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #write(): Promise<void> {
    for (let n = 1; !this.#isOver; )
      await this.#connected(async (client) => {
        for (; !this.#isOver; n += 1) {
          const from = Date.now()
          await client.query('insert into killed_rows values ($1, $2)', [n, randomBytes(fillerBytes)])
          this.acked.push({ n, from, until: Date.now() })
          await sleep(2)
        }
      }).then(
        () => {},
        // It may be there or not: the next one has another number.
        () => {
          n += 1
        },
      )
  }

  /** Follows what the receiver reports. */
  async #watch(): Promise<void> {
    const marks: { count: number; end: string }[] = []
    while (!this.#isOver)
      await this.#connected(async (client) => {
        for (; !this.#isOver; await sleep(100)) {
          const count = this.acked.length
          const { rows } = await client.query(
            `select pg_current_wal_flush_lsn() as end, (select restart_lsn from pg_replication_slots) as stored`,
          )
          marks.push({ count, end: rows[0].end })
          if (!rows[0].stored) continue
          const reached = marks.filter(({ end }) => position(end) <= position(rows[0].stored))
          this.stored = Math.max(this.stored, ...reached.map((mark) => mark.count))
        }
      }).catch(() => {})
  }

  async #connected(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = await this.#server.login().catch(async (error) => {
      await sleep(50)
      throw error
    })
    try {
      await work(client)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

function position(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** Waits until all that the server has written is reported as stored. */
export const untilStored = (server: KilledServer) =>
  until(async () => {
    const rows = await server
      .ask<{ is: boolean }>('select bool_or(restart_lsn >= pg_current_wal_flush_lsn()) as is from pg_replication_slots')
      .catch(() => [])
    return rows[0]?.is === true
  }, 120_000)
