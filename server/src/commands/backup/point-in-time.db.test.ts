import { randomInt } from 'node:crypto'
import { chmod, copyFile, cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { apiBase } from '@isotherm/contract/call.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { ask as askDatabase } from '../../../test/embedded.ts'
import { buildUser } from '../../../test/factories.ts'
import type { TestApp } from '../../../test/harness.ts'
import { runMain } from '../../../test/operator.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { statusOf } from '../../core/operator/status.ts'
import { newIdentity } from '../../platform/backup/identity-file.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { stopLeftOver } from '../../platform/db/embedded/postmaster.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { type Running, start } from '../../start.ts'

let root: string
let live: Running
let vault: string
/** A copy of the vault into which nothing more is received. */
let still: string
let identity: string
let keysFile: string
let companyId: number
/** Readings, when each was acknowledged, and when PostgreSQL says that it was committed: ms, with its microseconds. */
const acknowledged: { at: string; until: number; committed: number }[] = []
/** Instants: one before the first base was done, one amid the load, which is the millisecond of a commit, and the segment of the log then. */
const instants = { early: '', random: new Date(0), segment: '' }

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
let count = 0
const fresh = (name: string) => {
  count += 1
  return join(root, `${count}-${name}`)
}
const serve = (dataDir: string, env: Record<string, string> = {}) =>
  start(
    loadConfig({
      ...{ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', MQTT_PORT: 'off', METRICS_PORT: 'off' },
      ...{ LOG_LEVEL: 'silent', OVERLOAD_DELAY_MS: '0', ...env },
    }),
  )

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'isotherm-instant-'))
  await chmod(root, 0o755)
  const dataDir = join(root, 'live')
  const made = await startEmbedded({ dataDir, log: quiet })
  await made.stop()
  await writeFile(join(dataDir, 'postgres/cluster/local.conf'), 'fsync = off\ntrack_commit_timestamp = on\n', {
    mode: 0o644,
  })
  const { known } = await signingKeys(dataDir)
  const { text, recipient } = await newIdentity(known[0]?.id ?? '')
  identity = join(root, 'identity.txt')
  await writeFile(identity, text)
  vault = join(root, 'vault')
  instants.early = new Date().toISOString()
  const { recipient: second } = await newIdentity('0'.repeat(16))
  live = await serve(dataDir, { BACKUP_DIR: vault, BACKUP_RECIPIENTS: `${recipient},${second}` })
  const { pool, clock } = live.services
  const factories = { pool, clock } as unknown as TestApp
  const person = await buildUser(factories)
  companyId = person.companyId
  const device = await aDevice(factories, { companyId })
  const { id } = await buildRecord(factories, { companyId, deviceIds: [device.id] })
  await vi.waitFor(() => expect(live.services.backup?.facts().baseAgeDays).toBeTypeOf('number'), 240_000)
  const form = new FormData()
  form.set('file', new File(['seal 4711'], 'seal.txt'))
  const attached = await fetch(`${live.url}${apiBase}/enterprise/record/${id}/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
  expect(attached.status).toBe(200)
  const began = Date.now() - 3_600_000
  const [total, chosen] = [200, randomInt(50, 150)]
  for (let n = 0; n < total; n++) {
    const at = new Date(began + n * 1000).toISOString()
    const answer = await fetch(`${live.url}${apiBase}/ingest/${device.imei}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${device.secret}` },
      body: JSON.stringify({ at, temperatureC: 5 }),
    })
    expect(answer.ok).toBe(true)
    acknowledged.push({ at, until: Date.now(), committed: 0 })
    if (n !== chosen) continue
    const { rows } = await pool.query('select pg_walfile_name(pg_current_wal_insert_lsn()) as name')
    instants.segment = rows[0].name
  }
  const { rows } = await inTenant(pool, companyId, ({ client }) =>
    client.query(
      'select measured_at, extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as ms from readings',
    ),
  )
  const committed = new Map(rows.map((row) => [row.measured_at.toISOString(), row.ms]))
  for (const each of acknowledged) each.committed = committed.get(each.at) ?? expect.unreachable()
  instants.random = new Date(Math.floor(acknowledged[chosen]?.committed ?? 0))
  await vi.waitFor(async () => expect(await stored('/files/')).not.toEqual([]), 60_000)
  // All that is there now is stored, and the clock goes on beyond it.
  keysFile = join(root, 'keys')
  expect(await runMain(dataDir, ['backup', join(root, 'files.tar'), '--keys', keysFile])).toMatchObject({ code: 0 })
  await vi.waitFor(() => expect(live.services.backup?.facts().behindBytes).toBe(0), 60_000)
  still = await copied()
}, 300_000)
afterAll(async () => {
  await live?.stop()
  for (const name of await readdir(root)) await stopLeftOver(join(root, name, 'postgres/cluster'))
  await rm(root, { recursive: true })
})

/** A copy of the vault, begun again where the receiver removed an object meanwhile. */
async function copied(): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const copy = fresh('still')
    try {
      await cp(vault, copy, { recursive: true })
      return copy
    } catch (error) {
      if (tries === 10 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

async function stored(part: string, dir = vault): Promise<string[]> {
  const names = await readdir(dir, { recursive: true })
  return names.filter((name) => `/${name}`.includes(part) && name.endsWith('.age')).sort()
}
const restore = (target: string, to: string, more: string[] = [], from = vault) =>
  runMain(target, ['restore', '--to', to, '--from', from, '--identity', identity, '--keys', keysFile, ...more])

test('the log, a base and the status are there, and nothing stored can be read', async () => {
  expect(await stored('/wal/')).not.toEqual([])
  const [base = ''] = await stored('.tar.age')
  const bytes = await readFile(join(vault, base))
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(await live.services.metrics.metrics()).toContain('isotherm_backup_base_age_days')
  const status = await statusOf(live.services)
  expect(status.backup).toMatchObject({ isReceiving: true, fault: null, drillAgeDays: null })
  expect(status.warnings.join()).toContain('no drill within 40 days')
  const { rows } = await live.services.pool.query(`select slot_name, active from pg_replication_slots`)
  expect(rows).toEqual([{ slot_name: status.backup?.stretch, active: true }])
})

test('restored to a random instant of the load, all that was committed until the end of its millisecond is there and nothing that came after', async () => {
  const dataDir = fresh('restored')
  const answer = await restore(dataDir, instants.random.toISOString())
  expect(answer).toMatchObject({ code: 0, err: '' })
  const server = await serve(dataDir)
  try {
    const { readings, files } = await inTenant(server.services.pool, companyId, async ({ client }) => ({
      readings: (await client.query('select measured_at from readings order by measured_at')).rows,
      files: (await client.query('select file_key from record_attachments')).rows,
    }))
    const instant = instants.random.getTime()
    const due = acknowledged.filter(({ committed }) => Math.floor(committed) <= instant)
    expect(readings.map((row) => row.measured_at.toISOString())).toEqual(due.map(({ at }) => at))
    expect(acknowledged.filter((each) => each.until <= instant && !due.includes(each))).toEqual([])
    expect(await readFile(join(dataDir, 'files', files[0]?.file_key), 'utf8')).toBe('seal 4711')
  } finally {
    await server.stop()
  }
})

test('a drill proves it, and leaves a record', async () => {
  const scratch = fresh('scratch')
  const to = instants.random.toISOString()
  const args = ['backup', 'drill', '--identity', identity, '--from', vault, '--to', to, '--scratch', scratch]
  const answer = await runMain(join(root, 'none'), args)
  expect(answer).toMatchObject({ code: 0, err: '', out: expect.stringContaining('The restore is proven') })
  expect(answer.out).toMatch(/the drill took [\d.]+ times a restore/)
  const name = (await readdir(join(vault, 'drills'))).find((each) => /Z\.json$/.test(each)) ?? ''
  const record = JSON.parse(await readFile(join(vault, 'drills', name), 'utf8'))
  expect(record).toMatchObject({ faults: [], restoredTo: to, checked: { files: 1 } })
  expect(record.checked.migrations).toBeGreaterThan(50)
  expect(record.timesRestore).toBeGreaterThanOrEqual(1)
  expect(await readdir(scratch)).toEqual([])
})

describe('refused, with nothing changed', () => {
  /** A copy of the backup, with one change. */
  async function changed(change: (dir: string) => Promise<unknown>): Promise<string> {
    const copy = fresh('vault')
    await cp(still, copy, { recursive: true })
    await change(copy)
    return copy
  }
  async function flip(path: string) {
    const bytes = await readFile(path)
    const at = randomInt(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8))
    await writeFile(path, bytes)
  }
  const lastOfLog = async (dir: string) => (await stored('/wal/', dir)).at(-1) ?? ''
  async function refusal(from: string, to = instants.random.toISOString()) {
    const target = fresh('untouched')
    const answer = await restore(target, to, [], from)
    expect(answer.code).toBe(1)
    expect(await readdir(target).catch(() => [])).toEqual([])
    return answer.err
  }

  test('a base, or a part of the log, with one other bit', async () => {
    const [base = ''] = await stored('.tar.age', still)
    const [about = ''] = await stored('.about.age', still)
    for (const nameOf of [async () => base, async () => about, lastOfLog]) {
      const from = await changed(async (dir) => flip(join(dir, await nameOf(dir))))
      expect(await refusal(from)).toMatch(/damaged|not signed|another/)
    }
  })

  test('objects that were exchanged for each other', async () => {
    const [base = ''] = await stored('.about.age', still)
    const from = await changed(async (dir) => copyFile(join(dir, base), join(dir, await lastOfLog(dir))))
    expect(await refusal(from)).toContain('is another object of a backup')
  })

  test('a log without its part before the instant, and one that ends before it: it says what can be reached', async () => {
    const segmentOf = (name: string) => name.split('/').at(-1)?.split('.')[0] ?? ''
    const without = (isGone: (segment: string) => boolean) =>
      changed(async (dir) => {
        for (const name of await stored('/wal/', dir)) if (isGone(segmentOf(name))) await rm(join(dir, name))
      })
    const { segment: at } = instants
    expect(await refusal(await without((segment) => segment >= at))).toMatch(/does not reach .* it reaches to \d{4}-/)
    expect(await refusal(await without((segment) => segment === at))).toContain(`Segment ${at} is missing`)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    expect(await refusal(vault, later)).toMatch(/does not reach .* it reaches to \d{4}-/)
    expect(await refusal(vault, instants.early)).toContain('reaches no further back than')
  })

  test('the wrong identity, and the right one for another installation', async () => {
    const right = identity
    try {
      identity = fresh('wrong')
      await writeFile(identity, (await newIdentity('0'.repeat(16))).text)
      expect(await refusal(vault)).toContain('was made for another identity')
      await writeFile(identity, (await readFile(right, 'utf8')).replace(/(installation: ).*/, `$1${'0'.repeat(16)}`))
      expect(await refusal(vault)).toContain('of another installation')
    } finally {
      identity = right
    }
  })
})

test('after a crash of PostgreSQL, and a stop, it goes on where it was; where the stored log is gone a new stretch begins', async () => {
  const dataDir = join(root, 'live')
  const { config } = live.services
  const facts = () => live.services.backup?.facts()
  const before = facts()?.stretch
  const running = await startEmbedded({ dataDir, log: quiet, share: true })
  process.kill(running.pid(), 'SIGKILL')
  await expect.poll(() => facts()?.isReceiving, { timeout: 60_000 }).toBe(false)
  await expect.poll(() => facts()?.isReceiving, { timeout: 60_000 }).toBe(true)
  expect(facts()?.stretch).toBe(before)
  await live.stop()
  const env = { BACKUP_DIR: vault, BACKUP_RECIPIENTS: config.backup?.recipients.join() ?? '' }
  live = await serve(dataDir, env)
  await expect.poll(() => facts()?.isReceiving, { timeout: 60_000 }).toBe(true)
  expect(facts()?.stretch).toBe(before)
  await expect.poll(() => facts()?.drillAgeDays, { timeout: 60_000 }).toBeTypeOf('number')
  expect(facts()).toMatchObject({ drillPassed: true })
  expect(await live.services.metrics.metrics()).toMatch(/isotherm_backup_drill_age_days [\d.e-]+/)
  const { rows: noted } = await live.services.pool.query(`select * from desk_log where action = 'backup.drilled'`)
  expect(noted).toMatchObject([{ operator: userInfo().username, after: { faults: [], checked: { files: 1 } } }])
  for (const [dir, more] of [
    [dataDir, []],
    [join(root, 'none'), ['--identity', identity]],
  ] as const) {
    const listed = await runMain(dir, ['backup', 'drills', '--from', vault, ...more])
    expect(listed).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: proven, .* 1 files, .* signed by [0-9a-f]{16}/),
    })
  }
  expect((await restore(fresh('later'), 'latest')).code).toBe(0)
  await live.stop()
  await rename(vault, `${vault}-gone`)
  live = await serve(dataDir, env)
  await expect.poll(() => facts()?.baseAgeDays, { timeout: 120_000 }).toBeTypeOf('number')
  expect(facts()?.stretch).not.toBe(before)
  const { url } = await startEmbedded({ dataDir, log: quiet, share: true })
  expect(await askDatabase(url, 'select 1 from pg_replication_slots')).toHaveLength(1)
})
