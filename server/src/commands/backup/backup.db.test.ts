import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiBase } from '@isotherm/contract/call.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, password } from '../../../test/factories.ts'
import type { TestApp } from '../../../test/harness.ts'
import { type CommandOutput, runMain } from '../../../test/operator.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { findAccount, putAccount } from '../../core/billing/account-queries.ts'
import { signedLedgerFile } from '../../platform/audit/signed-ledger.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { installationSecret } from '../../platform/config/secret.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { stopLeftOver } from '../../platform/db/embedded/postmaster.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { type Running, start } from '../../start.ts'
import { openBaseBackup } from './base-backup.ts'
import { writeKeys } from './keys.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

let root: string
let live: Running
let file: string
let told: CommandOutput
let person: Awaited<ReturnType<typeof buildUser>>
let device: Awaited<ReturnType<typeof aDevice>>
/** The server's input, in this order: times of readings, and names of files. */
const sent = { readings: [] as string[], files: [] as string[] }
/** How much of that when the backup was asked for. */
let before = { readings: 0, files: 0 }

let count = 0
/** A path that nothing has been at: a test that is tried again begins anew. */
const fresh = (name: string) => {
  count += 1
  return join(root, `${count}-${name}`)
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const serve = (dataDir: string) =>
  start(
    loadConfig({
      ...{ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', MQTT_PORT: 'off', METRICS_PORT: 'off' },
      ...{ LOG_LEVEL: 'silent', OVERLOAD_DELAY_MS: '0' },
    }),
  )

async function ask(server: Running, path: string, body?: object, token?: string) {
  const answer = await fetch(`${server.url}${apiBase}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { body: body instanceof FormData ? body : JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const payloadOf = async (answer: Response) => ((await answer.json()) as { payload: any }).payload
const contentOf = (name: string) => `seal of ${name}`

/** A device that sends, and a person who attaches, one after the other until told to stop. */
function atWork(recordId: string) {
  const began = Date.now() - 3_600_000
  let isOver = false
  async function work() {
    while (!isOver) {
      const at = new Date(began + sent.readings.length * 1000).toISOString()
      await ask(live, `/ingest/${device.imei}`, { at, temperatureC: 5 }, device.secret)
      sent.readings.push(at)
      if (sent.readings.length % 25 > 0 || sent.files.length === 40) continue
      const name = `seal-${sent.files.length}.txt`
      const attached = new FormData()
      attached.set('file', new File([contentOf(name)], name))
      await ask(live, `/enterprise/record/${recordId}/attachments`, attached, person.token)
      sent.files.push(name)
    }
  }
  const working = work()
  return {
    async end() {
      isOver = true
      await working
    },
    async until(enough: () => boolean) {
      while (!enough()) await Promise.race([working, new Promise((done) => setImmediate(done))])
    },
  }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'isotherm-backup-'))
  // Else PostgreSQL's account could not enter, and the clusters would go to /var/lib/isotherm.
  await chmod(root, 0o755)
  const dataDir = join(root, 'live')
  const made = await startEmbedded({ dataDir, log: quiet })
  await made.stop()
  // This test is not about power cuts, and disks of busy machines are slow.
  await writeFile(join(dataDir, 'postgres/cluster/local.conf'), "fsync = off\nlog_line_prefix = 'mine '\n", {
    mode: 0o644,
  })
  live = await serve(dataDir)
  const { pool, clock } = live.services
  const factories = { pool, clock } as unknown as TestApp
  person = await buildUser(factories)
  device = await aDevice(factories, { companyId: person.companyId })
  await inTenant(pool, person.companyId, ({ tx }) => {
    const details = { name: 'Acme', address: '1 Marina', country: 'NG', tax_number: null, currency: 'NGN', zone: 'UTC' }
    return putAccount({ tx, companyId: person.companyId }, details, clock.now())
  })
  const { id } = await buildRecord(factories, { companyId: person.companyId, deviceIds: [device.id] })
  file = join(root, 'all.tar.zst')
  const work = atWork(id)
  await work.until(() => sent.files.length > 1)
  before = { readings: sent.readings.length, files: sent.files.length }
  told = await runMain(dataDir, ['backup', file, '--with-keys'])
  await work.end()
})
afterAll(async () => {
  await live?.stop()
  for (const name of await readdir(root)) await stopLeftOver(join(root, name, 'postgres/cluster'))
  await rm(root, { recursive: true })
})

/** Every file below a folder with its size and times: what nobody may have touched. */
async function stateOf(dir: string) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .map((entry) => join(entry.parentPath, entry.name))
    // The job of `live` that signs its trail runs at its own time.
    .filter((path) => !path.includes('/postgres/') && !path.endsWith(`/${signedLedgerFile}`))
  return Promise.all(files.sort().map(async (path) => [path, (await stat(path)).ino, (await stat(path)).mtimeMs]))
}

test('a backup beside the working server is one file that only its maker reads', async () => {
  // A backup that takes its time says how far it is.
  const progress = expect.stringMatching(/^(\d+\.\d MB of about \d+\.\d MB\n)*$/)
  expect(told).toMatchObject({ code: 0, err: progress, out: expect.stringContaining(`${file}: `) })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(root)).filter((name) => name.startsWith('all'))).toEqual(['all.tar.zst'])
  expect(await live.services.pool.query('select slot_name from pg_replication_slots')).toMatchObject({ rows: [] })
})

test('restored elsewhere, it is the same installation, with all that was acknowledged before it', async () => {
  const dataDir = fresh('restored')
  const answer = await runMain(dataDir, ['restore', file])
  expect(answer).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Restored into') })
  const server = await serve(dataDir)
  try {
    const rows = await inTenant(server.services.pool, person.companyId, async ({ client }) => {
      const readings = await client.query('select measured_at from readings order by measured_at')
      const files = await client.query('select id, name, sha256 from record_attachments order by id')
      return { readings: readings.rows.map((row) => row.measured_at.toISOString()), files: files.rows }
    })
    // One writer, so what is there is what it had sent up to some moment: nothing is missing in between.
    expect(rows.readings.length).toBeGreaterThanOrEqual(before.readings)
    expect(rows.readings).toEqual(sent.readings.slice(0, rows.readings.length))
    expect(rows.files.length).toBeGreaterThanOrEqual(before.files)
    expect(rows.files.map(({ name }) => name)).toEqual(sent.files.slice(0, rows.files.length))

    // Nothing is charged by itself until the operator says so: later charges are not in the backup.
    const { companyId } = person
    const account = await inTenant(server.services.pool, companyId, ({ tx }) => findAccount({ tx, companyId }))
    expect([account?.paused_at, existsSync(join(dataDir, 'restored-at'))]).toEqual([expect.any(Date), false])

    const login = await ask(server, '/auth/login', { email: person.email, password })
    const token = (await payloadOf(login)).tokens.accessToken
    for (const { id, name, sha256 } of rows.files) {
      const content = Buffer.from(
        await (await ask(server, `/enterprise/record-attachments/${id}`, undefined, token)).arrayBuffer(),
      )
      expect([name, content.toString()]).toEqual([name, contentOf(name)])
      expect(createHash('sha256').update(content).digest().equals(sha256)).toBe(true)
    }
    const trail = await payloadOf(await ask(server, '/audit-log/verify', undefined, token))
    expect(trail).toMatchObject({ fault: null })
    expect(trail.entries).toBeGreaterThan(before.files)
    for (const key of ['secret.key', 'audit-keys.json'])
      expect(await readFile(join(dataDir, key))).toEqual(await readFile(join(root, 'live', key)))
    expect(await readFile(join(dataDir, 'postgres/cluster/local.conf'), 'utf8')).toContain('mine')
  } finally {
    await server.stop()
  }
})

describe('nothing is changed', () => {
  test('in a folder with a running server, --replace or not', async () => {
    const dataDir = join(root, 'live')
    const state = await stateOf(dataDir)
    for (const more of [[], ['--replace']]) {
      const answer = await runMain(dataDir, ['restore', file, ...more])
      expect(answer).toMatchObject({
        code: 1,
        err: expect.stringContaining(`in use by a server (process ${process.pid})`),
      })
    }
    expect(await stateOf(dataDir)).toEqual(state)
  })

  test('in a folder with something in it, unless told to replace that', async () => {
    const dataDir = fresh('full')
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'secret.key'), 'mine')
    const state = await stateOf(dataDir)
    const answer = await runMain(dataDir, ['restore', file])
    expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('is not empty. --replace') })
    expect(await stateOf(dataDir)).toEqual(state)
  })

  test.each([
    ['cut off', async (copy: string, bytes: number) => truncate(copy, Math.floor(bytes * 0.6))],
    ['cut off in its last bytes', async (copy: string, bytes: number) => truncate(copy, bytes - 1500)],
    ['of one other byte', async (copy: string, bytes: number) => flip(copy, Math.floor(bytes / 2))],
  ])('by a backup that is %s', async (_, spoil) => {
    const copy = fresh('spoilt.tar.zst')
    const whole = await readFile(file)
    await writeFile(copy, whole)
    await spoil(copy, whole.length)
    const target = fresh('untouched')
    const options = { file: copy, dataDir: target, embedded: true, replace: true, now: new Date() }
    await expect(restoreBackup(options)).rejects.toThrow(/damaged|cut off/)
    expect(existsSync(target)).toBe(false)
  })

  test('by a backup that the disk cannot hold', async () => {
    const target = fresh('small')
    const options = {
      file,
      dataDir: target,
      embedded: true,
      replace: false,
      now: new Date(),
      freeBytes: async () => 3e8,
    }
    await expect(restoreBackup(options)).rejects.toThrow(/too small: 300\.0 MB free, \d+\.\d MB needed/)
    expect(await readdir(target)).toEqual([])
  })
})

describe('no backup is made', () => {
  const make = (to: string, more: object = {}) =>
    makeBackup({
      dataDir: join(root, 'live'),
      to,
      database: null,
      force: false,
      withKeys: true,
      now: new Date(),
      ...more,
    })

  test('over a file that is there, unless told to', async () => {
    const other = fresh('files.tar.gz')
    await writeFile(other, 'precious')
    await expect(make(other)).rejects.toThrow('exists already')
    expect(await readFile(other, 'utf8')).toBe('precious')
    await make(other, { force: true })
    expect((await stat(other)).size).toBeGreaterThan(1000)
  })

  test('where the disk is too small, and nothing is left behind', async () => {
    await expect(make(join(root, 'little.tar'), { freeBytes: async () => 2e8 })).rejects.toThrow('200.0 MB free')
    expect(existsSync(join(root, 'little.tar'))).toBe(false)
  })

  test('into the folder that is backed up, or none', async () => {
    await expect(make(join(root, 'live/files/own.tar'))).rejects.toThrow('is in DATA_DIR')
    await expect(make(join(root, 'nowhere/own.tar'))).rejects.toThrow('There is no folder')
  })

  test('where nothing is', async () => {
    const answer = await runMain(join(root, 'empty'), ['backup', join(root, 'x.tar')])
    expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('nothing to back up') })
    expect(existsSync(join(root, 'empty'))).toBe(false)
  })

  test('when it is stopped: no file stays', async () => {
    const stop = new AbortController()
    const freeBytes = async () => {
      stop.abort()
      return 1e12
    }
    const database = await borrowed()
    await expect(make(join(root, 'stopped.tar'), { database, signal: stop.signal, freeBytes })).rejects.toThrow('abort')
    expect((await readdir(root)).filter((name) => name.startsWith('stopped'))).toEqual([])
  })

  test('when PostgreSQL is gone: it says so, and no file stays', async () => {
    const { url, backupUrl } = await borrowed()
    const gone = new URL(backupUrl)
    gone.password = 'wrong'
    await expect(make(fresh('gone.tar'), { database: { url, backupUrl: gone.href } })).rejects.toThrow(
      'PostgreSQL gave no backup: password authentication failed',
    )
    expect((await readdir(root)).filter((name) => name.includes('gone'))).toEqual([])
  })

  test('by PostgreSQL any longer once nobody reads it: connection and slot are gone', async () => {
    const slots = async () => (await live.services.pool.query('select slot_name from pg_replication_slots')).rows
    const { tar, close } = await openBaseBackup((await borrowed()).backupUrl)
    for await (const chunk of tar) {
      expect(chunk.length).toBeGreaterThan(0)
      expect(await slots()).toHaveLength(1)
      break
    }
    await close()
    await expect.poll(slots, { timeout: 30_000 }).toEqual([])
  })
})

test('the files alone of an installation with a PostgreSQL of its own, moved into place beside what was there', async () => {
  const own = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const [source, target] = [join(root, 'live'), fresh('own')]
  const to = fresh('own.tar')
  expect(await runMain(source, ['backup', to], own)).toMatchObject({
    code: 1,
    err: expect.stringContaining('pg_basebackup'),
  })
  expect(await runMain(source, ['backup', to, '--files', '--with-keys'], own)).toMatchObject({ code: 0 })
  await mkdir(join(target, 'files'), { recursive: true })
  await writeFile(join(target, 'files/old.pdf'), 'old')
  expect(await runMain(target, ['restore', to, '--replace'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('set DATABASE_URL'),
  })
  expect(await runMain(target, ['restore', to, '--replace'], own)).toMatchObject({ code: 0 })
  const [aside = ''] = (await readdir(target)).filter((name) => name.startsWith('before-restore-'))
  expect(await readFile(join(target, aside, 'files/old.pdf'), 'utf8')).toBe('old')
  // The job of `live` that signs its trail runs at its own time: before this backup, or not yet.
  const names = (await readdir(target)).filter((name) => name !== signedLedgerFile)
  expect(names.sort()).toEqual(['audit-keys.json', aside, 'files', 'restored-at', 'secret.key'])
  expect(await readFile(join(target, 'secret.key'))).toEqual(await readFile(join(source, 'secret.key')))
  expect(await runMain(target, ['restore', file, '--replace'], own)).toMatchObject({
    code: 1,
    err: expect.stringContaining('unset DATABASE_URL'),
  })
})

describe('the keys', () => {
  const own = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const keysOf = async (dir: string) =>
    Promise.all(['secret.key', 'audit-keys.json'].map((name) => readFile(join(dir, name), 'utf8')))

  test('are not in a backup unless asked for, and a restore elsewhere is refused without them (L25)', async () => {
    const [source, to, target] = [join(root, 'live'), fresh('keyless.tar'), fresh('keyless')]
    const made = await runMain(source, ['backup', to, '--files'], own)
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('keys of the installation are not in it') })
    const text = await readFile(to, 'utf8')
    const [secret = '', audit = ''] = await keysOf(source)
    expect(text).not.toContain(secret)
    expect(text).not.toContain(JSON.parse(audit).secret)
    expect(text).toContain(JSON.parse(audit).keys[0].publicKey)
    const answer = await runMain(target, ['restore', to], own)
    expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('--keys KEYFILE') })
    expect(existsSync(target)).toBe(false)
  })

  test('come from their own file, from the folder that is replaced, or are made anew knowingly (L25)', async () => {
    const [source, to, keyFile] = [join(root, 'live'), fresh('apart.tar'), fresh('apart.keys')]
    expect(await runMain(source, ['backup', to, '--files', '--keys', keyFile], own)).toMatchObject({ code: 0 })
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    const again = await runMain(source, ['backup', fresh('again.tar'), '--files', '--keys', keyFile], own)
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
    const known = await signingKeys(source)
    const { secret } = JSON.parse((await keysOf(source))[1] ?? '')

    const elsewhere = fresh('elsewhere')
    expect(await runMain(elsewhere, ['restore', to, '--keys', keyFile], own)).toMatchObject({ code: 0 })
    expect(await readdir(elsewhere)).not.toContain('audit-public-keys.json')
    expect((await keysOf(elsewhere))[0]).toBe((await keysOf(source))[0])
    expect(JSON.parse((await keysOf(elsewhere))[1] ?? '').secret).toBe(secret)
    expect((await stat(join(elsewhere, 'secret.key'))).mode & 0o777).toBe(0o600)

    expect(await runMain(elsewhere, ['restore', to, '--replace'], own)).toMatchObject({ code: 0 })
    expect((await signingKeys(elsewhere)).id).toBe(known.id)

    const renewed = fresh('renewed')
    expect(await runMain(renewed, ['restore', to, '--new-keys'], own)).toMatchObject({ code: 0 })
    const after = await signingKeys(renewed)
    expect(after.known.map(({ id, signedBy }) => [id, signedBy])).toEqual([
      [known.id, null],
      [after.id, null],
    ])
  })

  test('of another installation are refused (L25)', async () => {
    const [to, keyFile, target] = [fresh('mine.tar'), fresh('others.keys'), fresh('mixed')]
    expect(await runMain(join(root, 'live'), ['backup', to, '--files'], own)).toMatchObject({ code: 0 })
    const other = fresh('other')
    await installationSecret(other)
    await signingKeys(other)
    await writeKeys(other, keyFile, false)
    const answer = await runMain(target, ['restore', to, '--keys', keyFile], own)
    expect(answer).toMatchObject({ code: 1, err: expect.stringContaining("another installation's") })
    expect(await readdir(target)).toEqual([])
  })
})

test('--check says what is in it, and a command that is not understood explains itself', async () => {
  const answer = await runMain(join(root, 'none'), ['restore', '--check', file])
  expect(answer).toMatchObject({ code: 0, out: expect.stringMatching(/is whole: \d+ files .* PostgreSQL 18/) })
  expect(await runMain(root, ['backup'])).toMatchObject({ code: 2, err: expect.stringContaining('backup FILE') })
  expect(await runMain(root, ['restore', '--chekc', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('--chekc'),
  })
})

async function flip(path: string, at: number) {
  const bytes = await readFile(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
}

async function borrowed() {
  const { url, backupUrl } = await startEmbedded({ dataDir: join(root, 'live'), log: quiet, share: true })
  if (!backupUrl) throw new Error('no way to back up')
  return { url, backupUrl }
}
