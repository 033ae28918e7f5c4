import { randomInt } from 'node:crypto'
import { chmod, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { startIn } from '../../../test/embedded.ts'
import { KilledServer, Sender } from '../../../test/killed-server.ts'
import { until } from '../../../test/postgres-pair.ts'
import { diskStore } from '../../platform/backup/backup-store.ts'
import { newIdentity, readIdentities } from '../../platform/backup/identity-file.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { readCredentials } from '../../platform/db/embedded/credentials.ts'
import { stopLeftOver } from '../../platform/db/embedded/postmaster.ts'
import { createPool, type Pool } from '../../platform/db/pool.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { findInstant, type Target } from './point-in-time.ts'
import { restoreInto } from './restore-backup.ts'

let root: string
let vault: string
/** The backup as the kill left it: all that there is where the machine is lost with the server. */
let left: string
let identity: string
let companyId: number
let server: KilledServer
let sender: Sender
/** So many of the readings that were acknowledged before the kill were reported to PostgreSQL as stored. */
let reported = 0

const patienceMs = 120_000

/** Positions of the log as numbers, which holds for the first petabytes. */
const positionSql = {
  end: `select (pg_current_wal_insert_lsn() - '0/0')::float8 as at`,
  stored: `select (restart_lsn - '0/0')::float8 as at from pg_replication_slots where slot_name like 'isotherm_wal%'`,
}

async function poolOf(dataDir: string): Promise<Pool> {
  const { password = '', port = 0 } = (await readCredentials(dataDir)) ?? {}
  return createPool(`postgres://isotherm:${password}@127.0.0.1:${port}/isotherm`, 2, () => {})
}
/** 0 while PostgreSQL is away. */
const position = (pool: Pool, sql: string): Promise<number> =>
  pool.query<{ at: number }>(sql).then(
    ({ rows }) => rows[0]?.at ?? 0,
    () => 0,
  )

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'isotherm-killed-'))
  await chmod(root, 0o755)
  const dataDir = join(root, 'live')
  const { text, recipient } = await newIdentity((await signingKeys(dataDir)).id)
  identity = join(root, 'identity.txt')
  await writeFile(identity, text)
  vault = join(root, 'vault')
  left = join(root, 'left')
  server = new KilledServer(dataDir, { BACKUP_DIR: vault, BACKUP_RECIPIENTS: recipient })
  await server.start()
  const hasBase = async () => (await readdir(vault, { recursive: true })).some((name) => name.endsWith('.about.age'))
  await until(hasBase, patienceMs)
  const pool = await poolOf(dataDir)
  try {
    const device = await aDevice({ pool, clock: { now: () => new Date() } })
    companyId = device.companyId
    const ends: number[] = []
    sender = new Sender(server, device, async () => ends.push(await position(pool, positionSql.end)))
    sender.start()
    const sent = async (count: number) => {
      const due = sender.acked.length + count
      await until(() => sender.acked.length >= due, patienceMs)
    }
    await sent(randomInt(50, 150))
    await until(
      async () => (await position(pool, positionSql.stored)) >= (ends[30] ?? Number.POSITIVE_INFINITY),
      patienceMs,
    )
    const stored = await position(pool, positionSql.stored)
    await server.kill()
    reported = ends.filter((end) => end <= stored).length
    await cp(vault, left, { recursive: true })
    await server.start()
    await sent(randomInt(50, 150))
    await sender.stop()
    const end = await position(pool, positionSql.end)
    await until(async () => (await position(pool, positionSql.stored)) >= end, patienceMs)
  } finally {
    await pool.end()
  }
  await server.kill()
}, 300_000)
afterAll(async () => {
  await sender?.stop()
  await server?.kill()
  for (const name of await readdir(root)) await stopLeftOver(join(root, name, 'postgres/cluster'))
  await rm(root, { recursive: true })
})

/** The times of the readings that a restore brings back. */
async function restored(name: string, from: string, to: Target): Promise<Set<string>> {
  const dataDir = join(root, name)
  const found = findInstant({ store: diskStore(from), identities: await readIdentities(identity) }, to)
  await restoreInto({ dataDir, embedded: true, replace: false, newKeys: true, now: new Date() }, () => found)
  const { url } = await startIn(dataDir)
  const pool = createPool(url, 1, () => {})
  try {
    const { rows } = await inTenant(pool, companyId, ({ client }) => client.query('select measured_at from readings'))
    return new Set(rows.map(({ measured_at }) => measured_at.toISOString()))
  } finally {
    await pool.end()
  }
}

test('the server was killed and started again: at any instant there is what was acknowledged until then, and nothing later', async () => {
  const { acked } = sender
  const lastFrom = acked.at(-1)?.from ?? 0
  const instants = acked.map(({ until: ms }) => ms).filter((ms) => ms < lastFrom)
  const instant = instants[randomInt(instants.length)] ?? 0
  const here = await restored('to-instant', vault, new Date(instant))
  const missing = acked.filter(({ at, until: ms }) => ms <= instant && !here.has(at))
  const tooLate = acked.filter(({ at, from }) => from > instant && here.has(at))
  expect({ instant, missing, tooLate }).toEqual({ instant, missing: [], tooLate: [] })
})

test('the machine was lost with the server: all that was reported as stored is there, and nothing is missing in between', async () => {
  const { acked } = sender
  const here = await restored('to-kill', left, null)
  expect(reported).toBeGreaterThan(30)
  const newest = acked.findLastIndex(({ at }) => here.has(at))
  expect(newest + 1).toBeGreaterThanOrEqual(reported)
  expect(acked.slice(0, newest + 1).filter(({ at }) => !here.has(at))).toEqual([])
})
