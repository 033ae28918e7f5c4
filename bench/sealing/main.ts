import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { keepBackups } from '../../server/src/keep-backups.ts'
import { newIdentity } from '../../server/src/platform/backup/identity-file.ts'
import { signingKeys } from '../../server/src/platform/config/signing-keys.ts'
import { startEmbedded } from '../../server/src/platform/db/embedded/supervisor.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { createLog } from '../../server/src/platform/log/log.ts'

/*
 * The share of the event loop that a kept backup takes: this process receives and stores the log of a PostgreSQL into which another process
 * writes, and does nothing else.
 *
 *   npm run bench -- sealing [--rows 40000] [--seconds 20]
 */

const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
const [rate, seconds] = [numberOf('--rows', 40_000), numberOf('--seconds', 20)]

const root = await mkdtemp(join(tmpdir(), 'isotherm-sealing-'))
// Else PostgreSQL's account could not enter, and its data would stay in /var/lib/isotherm.
await chmod(root, 0o755)
const dataDir = join(root, 'data')
const log = createLog('error')
const database = await startEmbedded({ dataDir, log })
await migrate(database.url, () => {})
const client = new pg.Client({ connectionString: database.url })
await client.connect()
const { text: _, recipient } = await newIdentity((await signingKeys(dataDir)).id)
const config = { dataDir, backup: { place: join(root, 'vault'), recipients: [recipient] } }
const logins = { url: database.url, backupUrl: database.backupUrl ?? '' }
const keeping = await keepBackups(config, logins, log)
if (!keeping) throw new Error('no backup is kept')
try {
  const { state } = keeping
  await client.query(
    'create table sealing_load (device int, at timestamptz, t real, humidity real, battery real, primary key (device, at))',
  )
  while (state.facts().baseAgeDays === null || state.facts().behindBytes > 0) await sleep(100)
  const position = async () =>
    Number((await client.query(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at`)).rows[0].at)
  const from = await position()
  const before = { loop: performance.eventLoopUtilization(), thread: process.threadCpuUsage(), all: process.cpuUsage() }
  let behind = 0
  const watch = setInterval(() => {
    behind = Math.max(behind, state.facts().behindBytes)
  }, 200)
  const load = [fileURLToPath(new URL('./load.ts', import.meta.url)), logins.url, String(rate), String(seconds)]
  const { stdout } = await promisify(execFile)(process.execPath, load)
  const { utilization } = performance.eventLoopUtilization(before.loop)
  const { written, seconds: took } = JSON.parse(stdout) as { written: number; seconds: number }
  const megabytes = ((await position()) - from) / 2 ** 20
  do await sleep(1_000)
  while (state.facts().behindBytes > 0)
  clearInterval(watch)
  const [thread, all] = [process.threadCpuUsage(before.thread), process.cpuUsage(before.all)].map(
    ({ user, system }) => (user + system) / 1_000 / megabytes,
  )
  const shareOf = (msPerMegabyte = 0) =>
    `${msPerMegabyte.toFixed(1)} ms a megabyte (${((msPerMegabyte * megabytes) / took / 1_000).toFixed(3)} of a core)`
  console.log(
    `${Math.round(written / took)} rows/s, ${(megabytes / took).toFixed(1)} MB/s of log for ${took.toFixed(0)} s. ` +
      `Event loop in use ${utilization.toFixed(3)}; processor of its thread ${shareOf(thread)}, of the process ${shareOf(all)}; ` +
      `at most ${(behind / 2 ** 20).toFixed(1)} MB behind.`,
  )
} finally {
  await keeping.stop()
  await client.end()
  await database.stop()
  await rm(root, { recursive: true })
}
