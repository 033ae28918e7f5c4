import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { stopLeftOver } from '../src/platform/db/embedded/postmaster.ts'
import { type EmbeddedOptions, startEmbedded } from '../src/platform/db/embedded/supervisor.ts'

/** A data folder that is removed after the test, with whatever PostgreSQL still runs in it. */
export async function dataFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-embedded-'))
  // Else PostgreSQL's account could not enter and the data would go to /var/lib/isotherm.
  await chmod(dir, 0o755)
  onTestFinished(async () => {
    await stopLeftOver(join(dir, 'data/postgres/cluster'))
    await rm(dir, { recursive: true, force: true })
  })
  return join(dir, 'data')
}

/** Starts it in `dataDir`, keeps the log's lines, and stops it after the test. */
export async function startIn(dataDir: string, options: Partial<EmbeddedOptions> = {}) {
  const lines: string[] = []
  const note = (first: unknown, second?: string) => void lines.push(second ?? String(first))
  const embedded = await startEmbedded({ dataDir, log: { info: note, warn: note, error: note }, ...options })
  onTestFinished(() => embedded.stop())
  return { ...embedded, lines }
}

export async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Asks until it is answered: what a pool does while the database restarts. */
export async function askUntilAnswered<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  for (const deadline = Date.now() + 15_000; ; ) {
    try {
      return await ask<Row>(url, sql)
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

/** A supervisor in a process of its own, once it runs; `end(code)` evaluates `how` in it or kills it. */
export async function supervisorProcess(
  dataDir: string,
  command: string[] = [process.execPath],
  module = supervisorFile,
) {
  const log = '{ info() {}, warn() {}, error() {} }'
  const code = `
    const { startEmbedded } = await import(${JSON.stringify(module)})
    const embedded = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: ${log} })
    console.log(JSON.stringify({ url: embedded.url, postmaster: embedded.pid(), uid: process.getuid() }))
    process.stdin.on('data', () => process.exit(3)).on('end', () => embedded.stop())
  `
  const [program = '', ...args] = command
  const child = spawn(program, [...args, '--input-type=module', '-e', code], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((done) => child.on('close', (status) => done(status)))
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const started = await new Promise<{ url: string; postmaster: number; uid: number }>((done, failed) => {
    child.stdout.on('data', (chunk) => done(JSON.parse(String(chunk))))
    child.on('close', () => failed(new Error(output)))
  })
  return {
    ...started,
    pid: child.pid ?? 0,
    /** Ends it by process.exit, without stop(). */
    exit: () => child.stdin.write('exit'),
    /** Lets it stop as it should. */
    finish: () => child.stdin.end(),
    exited,
  }
}

const supervisorFile = new URL('../src/platform/db/embedded/supervisor.ts', import.meta.url).pathname
