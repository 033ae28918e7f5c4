import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbedded } from '../../server/src/platform/db/embedded/supervisor.ts'
import { type Scanner, startScanner } from './scanner.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A running server with the settings it is shipped with, on a database of its own, and all an operator can see of it. */
export interface Instance {
  base: string
  dataDir: string
  /** As the login role of the server. */
  database: pg.Pool
  databaseUrl: string
  log(): string
  /** The newest mail to this address that holds this text, with soft line breaks taken out. */
  mailTo(address: string, holding: string): Promise<string>
  /** The token of the newest link of a kind (verify, reset, usersetup) mailed to this address. */
  mailedToken(address: string, kind: string): Promise<string>
  provider(...args: string[]): Promise<string>
  close(): Promise<void>
}

/** Starts PostgreSQL, a virus scanner's stand-in and the server behind a pretended proxy with TLS. Ends them by `close`. */
export async function startInstance(): Promise<Instance> {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-asvs-'))
  // Else PostgreSQL's account could not enter.
  await chmod(folder, 0o711)
  const dataDir = join(folder, 'server')
  const quiet = () => {}
  const postgres = await startEmbedded({
    dataDir: join(folder, 'data'),
    log: { info: quiet, warn: quiet, error: console.error },
    // It is thrown away: what a power cut would take is no matter here.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const scanner = await startScanner()
  const env = environment(dataDir, postgres.url, scanner)
  const server = spawn(join(root, 'node_modules/.bin/node'), ['server/src/main.ts', 'start'], { cwd: root, env })
  const log = logOf(server)
  const database = new pg.Pool({ connectionString: postgres.url, max: 2 })
  database.on('error', quiet)
  const close = async () => {
    await ended(server)
    await database.end()
    await scanner.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const listening = await until(() => /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(log())?.[1], server, log)
    const mailTo = (address: string, holding: string) => newestMail(join(dataDir, 'outbox'), address, holding)
    return {
      base: listening,
      dataDir,
      database,
      databaseUrl: postgres.url,
      log,
      mailTo,
      async mailedToken(address, kind) {
        const found = new RegExp(`/${kind}[/#?]+(?:token=)?([\\w.-]{20,})`).exec(await mailTo(address, `/${kind}`))
        if (!found?.[1]) throw new Error(`no link of ${kind} in the mail to ${address}`)
        return found[1]
      },
      provider: (...args) => runProvider(args, env, folder),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const environment = (dataDir: string, databaseUrl: string, scanner: Scanner) => ({
  PATH: process.env.PATH ?? '',
  // Only how fast it starts.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  HOST: '127.0.0.1',
  PORT: '0',
  MQTT_PORT: 'off',
  METRICS_PORT: 'off',
  LOG_LEVEL: 'info',
  PUBLIC_URL: 'https://cold.example',
  TRUST_PROXY: '1',
  CLAMD_URL: scanner.url,
  // A busy machine that runs late is no finding.
  OVERLOAD_DELAY_MS: '0',
})

function logOf(server: ChildProcess): () => string {
  let text = ''
  const add = (chunk: Buffer) => {
    text += chunk.toString()
  }
  server.stdout?.on('data', add)
  server.stderr?.on('data', add)
  return () => text
}

async function until(find: () => string | undefined, server: ChildProcess, log: () => string): Promise<string> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
    const found = find()
    if (found) return found
    if (server.exitCode !== null) break
  }
  throw new Error(`the server did not come up:\n${log().slice(-4000)}`)
}

function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })
}

async function newestMail(outbox: string, address: string, holding: string): Promise<string> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100)) {
    const names = await readdir(outbox).catch((): string[] => [])
    const mails = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
    const found = mails
      .map((mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
      .filter((mail) => mail.toLowerCase().includes(`to: ${address.toLowerCase()}`) && mail.includes(holding))
    const last = found.sort((a, b) => dateOf(a) - dateOf(b)).at(-1)
    if (last) return last
  }
  throw new Error(`no mail to ${address} that holds ${holding}`)
}

const dateOf = (mail: string) => Date.parse(/^Date: (.+)$/m.exec(mail)?.[1] ?? '')

async function runProvider(args: string[], env: NodeJS.ProcessEnv, folder: string): Promise<string> {
  const given = await Promise.all(
    args.map(async (arg, index) => {
      if (!arg.includes('\n')) return arg
      const path = join(folder, `given-${Date.now()}-${index}.csv`)
      await writeFile(path, arg)
      return path
    }),
  )
  const child = spawn(join(root, 'node_modules/.bin/node'), ['server/src/main.ts', 'provider', ...given], {
    cwd: root,
    env,
  })
  const output = logOf(child)
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`provider ${args[0]} ${args[1]} ended with ${code}: ${output()}`)
  return output()
}
