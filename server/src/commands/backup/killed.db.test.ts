import { randomInt } from 'node:crypto'
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, startIn } from '../../../test/embedded.ts'
import { KilledServer, RowWriter, untilStored } from '../../../test/killed-server.ts'
import { runMain } from '../../../test/operator.ts'
import { until } from '../../../test/postgres-pair.ts'
import { newIdentity } from '../../platform/backup/identity-file.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { stopLeftOver } from '../../platform/db/embedded/postmaster.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'

/** A few kills in each run of the tests; BACKUP_KILLS=40 for a long one. */
const kills = Number(process.env.BACKUP_KILLS) || 4
const instantCount = Math.max(2, Math.ceil(kills / 4))
const longestLoadMs = 1_500

let root: string
let vault: string
let identity: string
let server: KilledServer
let rows: RowWriter
/** Instants amid the load, each before the next kill. */
const instants: Date[] = []

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
let count = 0
const fresh = (name: string) => {
  count += 1
  return join(root, `${count}-${name}`)
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'isotherm-killed-'))
  await chmod(root, 0o755)
  const dataDir = join(root, 'live')
  const made = await startEmbedded({ dataDir, log: quiet })
  await made.stop()
  // The machine goes on whatever is killed: what PostgreSQL wrote is there without its being on disk.
  await writeFile(join(dataDir, 'postgres/cluster/local.conf'), 'fsync = off\n', { mode: 0o644 })
  const { text, recipient } = await newIdentity((await signingKeys(dataDir)).id)
  identity = join(root, 'identity.txt')
  await writeFile(identity, text)
  vault = join(root, 'vault')
  server = new KilledServer(dataDir, { BACKUP_DIR: vault, BACKUP_RECIPIENTS: recipient })
  await server.start()
  await until(async () => (await stored('.about.age')).length > 0, 180_000)
  rows = new RowWriter(server)
  await rows.start()
  for (let n = 0; n < kills; n += 1) {
    await until(() => server.isReceiving(), 120_000)
    const before = rows.acked.length
    await until(() => rows.acked.length > before + 20, 120_000)
    await sleep(randomInt(longestLoadMs))
    instants.push(new Date())
    await sleep(randomInt(longestLoadMs / 3))
    if (n % 2 === 0) {
      await server.killServer()
      await server.start()
    } else server.killPostgres()
  }
  await until(() => server.isReceiving(), 120_000)
  const before = rows.acked.length
  await until(() => rows.acked.length > before + 20, 120_000)
}, 1_800_000)
afterAll(async () => {
  await rows?.stop()
  await server?.stop()
  for (const name of await readdir(root)) await stopLeftOver(join(root, name, 'postgres/cluster'))
  await rm(root, { recursive: true })
})

async function stored(part: string, dir = vault): Promise<string[]> {
  const names = await readdir(dir, { recursive: true }).catch(() => [])
  return names.filter((name) => `/${name}`.includes(part) && name.endsWith('.age')).sort()
}
const restore = (target: string, to: string, more: { from?: string; identity?: string } = {}) =>
  runMain(target, [
    ...['restore', '--to', to, '--from', more.from ?? vault, '--identity', more.identity ?? identity, '--new-keys'],
  ])

async function restoredRows(to: string): Promise<number[]> {
  const dataDir = fresh('restored')
  expect(await restore(dataDir, to)).toMatchObject({ code: 0, err: '' })
  const { url, stop } = await startIn(dataDir)
  const found = await ask<{ n: string }>(url, 'select n from killed_rows order by n')
  await stop()
  await rm(dataDir, { recursive: true })
  return found.map(({ n }) => Number(n))
}

test('after kills of the server and of PostgreSQL any second is there as it was', async () => {
  await untilStored(server)
  const chosen = instants.toSorted(() => Math.random() - 0.5).slice(0, instantCount)
  const [first, last] = [rows.acked[0]?.until ?? 0, rows.acked.at(-1)?.from ?? 0]
  for (const at of [...chosen, new Date(first + randomInt(last - first))]) {
    const here = new Set(await restoredRows(at.toISOString()))
    const missing = rows.acked.filter(({ n, until: ms }) => ms < at.getTime() && !here.has(n))
    const tooLate = rows.acked.filter(({ n, from }) => from > at.getTime() && here.has(n))
    expect({ at, missing, tooLate }).toEqual({ at, missing: [], tooLate: [] })
  }
}, 1_800_000)

test('a segment that is damaged, and the backup of another installation or for another identity, is refused', async () => {
  const still = fresh('still')
  await server.killServer()
  await rows.stop()
  await cp(vault, still, { recursive: true })
  const to = { from: still }
  const target = fresh('untouched')
  const segments = await stored('/wal/', still)
  const name = join(still, segments[randomInt(segments.length)] ?? '')
  const bytes = await readFile(name)
  const at = randomInt(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8))
  await writeFile(name, bytes)
  expect((await restore(target, 'latest', to)).err).toMatch(/damaged|not signed|another/)
  const foreign = fresh('foreign')
  await writeFile(foreign, (await readFile(identity, 'utf8')).replace(/(installation: ).*/, `$1${'0'.repeat(16)}`))
  expect((await restore(target, 'latest', { identity: foreign })).err).toContain('of another installation')
  await writeFile(foreign, (await newIdentity('0'.repeat(16))).text)
  expect((await restore(target, 'latest', { identity: foreign })).err).toContain('another identity')
  expect(await readdir(target).catch(() => [])).toEqual([])
})

test('where the whole machine is gone, all that was reported as stored is there, and nothing between is missing', async () => {
  const here = await restoredRows('latest')
  const known = new Set(here)
  expect(rows.acked.slice(0, rows.stored).filter(({ n }) => !known.has(n))).toEqual([])
  expect(rows.stored).toBeGreaterThan(20)
  const newest = here.at(-1) ?? 0
  expect(rows.acked.filter(({ n }) => n < newest && !known.has(n))).toEqual([])
  const lost = rows.acked.filter(({ n }) => n > newest)
  if (process.env.BACKUP_KILLS)
    console.log(`${kills} kills, ${rows.acked.length} rows, ${lost.length} of the last were not stored yet`)
})
