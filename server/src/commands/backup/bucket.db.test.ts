import { randomInt } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ask, startIn } from '../../../test/embedded.ts'
import { runMain } from '../../../test/operator.ts'
import { startS3 } from '../../../test/s3-server.ts'
import { bucketStore } from '../../platform/backup/bucket-store.ts'
import { newIdentity } from '../../platform/backup/identity-file.ts'
import { bucketEnvironment } from '../../platform/config/bucket.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { stopLeftOver } from '../../platform/db/embedded/postmaster.ts'
import { type Running, start } from '../../start.ts'

let root: string
let s3: Awaited<ReturnType<typeof startS3>>
let store: ReturnType<typeof bucketStore>
let live: Running
let identity: string
/** After row 20, before row 21. */
let instant: string
let from: string
/** How the bucket is reached; its name is in `from`. */
let access: Record<string, string>

const set = (env: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])))

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'isotherm-in-bucket-'))
  await chmod(root, 0o755)
  s3 = await startS3()
  store = bucketStore(s3.store)
  from = `s3://${s3.store.bucket}/isotherm`
  const { BACKUP_S3_BUCKET = '', BACKUP_S3_PREFIX = '', ...rest } = set(bucketEnvironment('BACKUP', s3.store))
  access = rest
  const dataDir = join(root, 'live')
  const { text: lines, recipient } = await newIdentity((await signingKeys(dataDir)).id)
  identity = join(root, 'identity.txt')
  await writeFile(identity, lines)
  live = await start(
    loadConfig({
      ...{ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', MQTT_PORT: 'off', METRICS_PORT: 'off' },
      ...{ LOG_LEVEL: 'silent', OVERLOAD_DELAY_MS: '0', BACKUP_RECIPIENTS: recipient },
      ...{ ...access, BACKUP_S3_BUCKET, BACKUP_S3_PREFIX },
    }),
  )
  await vi.waitFor(() => expect(live.services.backup?.facts().baseAgeDays).toBeTypeOf('number'), 240_000)
  const { pool } = live.services
  await pool.query('create table kept_rows (n int8 primary key)')
  const insert = async (n: number) =>
    (await pool.query('insert into kept_rows values ($1) returning clock_timestamp() as at', [n])).rows[0].at
  for (let n = 1; n <= 20; n += 1) await insert(n)
  instant = new Date().toISOString()
  // The clock goes on to another millisecond.
  await vi.waitUntil(() => Date.now() > Date.parse(instant), 30_000)
  for (let n = 21; n <= 40; n += 1) await insert(n)
  await vi.waitFor(() => expect(live.services.backup?.facts().behindBytes).toBe(0), 60_000)
}, 300_000)
afterAll(async () => {
  await live?.stop()
  for (const name of await readdir(root)) await stopLeftOver(join(root, name, 'postgres/cluster'))
  await rm(root, { recursive: true })
  await s3?.stop()
})

const restore = (target: string, to: string) =>
  runMain(target, ['restore', '--to', to, '--from', from, '--identity', identity, '--new-keys'], access)

test('the backup is in the bucket, as nobody can read it; nothing of it is on the disk', async () => {
  const names = (await store.list('')).map(({ name }) => name)
  expect(names.filter((name) => /\/wal\/\w+(\.[\w-]+)?\.age$/.test(name))).not.toEqual([])
  const base = names.find((name) => name.endsWith('.tar.age')) ?? ''
  expect((await buffer(await store.get(base))).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(live.services.backup?.facts()).toMatchObject({ isReceiving: true, fault: null, freeBytes: null })
})

test('it is restored to an instant from the bucket', async () => {
  const dataDir = join(root, 'restored')
  expect(await restore(dataDir, instant)).toMatchObject({ code: 0, err: '' })
  const { url } = await startIn(dataDir)
  const rows = await ask<{ n: string }>(url, 'select n from kept_rows order by n')
  expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

test('a drill proves it, and leaves its record in the bucket', async () => {
  const scratch = join(root, 'scratch')
  await mkdir(scratch)
  const args = ['backup', 'drill', '--identity', identity, '--from', from, '--to', instant, '--scratch', scratch]
  const answer = await runMain(join(root, 'none'), args, access)
  expect(answer).toMatchObject({ code: 0, err: '', out: expect.stringContaining('The restore is proven') })
  const record = (await store.list('drills')).find(({ name }) => name.endsWith('Z.json'))?.name ?? ''
  expect(JSON.parse(await text(await store.get(record)))).toMatchObject({ faults: [], restoredTo: instant })
  const listed = await runMain(join(root, 'none'), ['backup', 'drills', '--from', from, '--identity', identity], access)
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining(': proven, ') })
})

test('an object that is damaged in the bucket, and one that somebody put in its place, is refused', async () => {
  await live.stop()
  const [name = ''] = (await store.list('')).map((each) => each.name).filter((each) => each.endsWith('.tar.age'))
  const whole = await buffer(await store.get(name))
  const damagedAt = (place: number) => {
    const copy = Buffer.from(whole)
    copy[place] = (copy[place] ?? 0) ^ (1 << randomInt(8))
    return copy
  }
  const changed = damagedAt(randomInt(whole.length))
  const refused = async () => {
    const target = join(root, 'untouched')
    const answer = await restore(target, 'latest')
    expect(await readdir(target).catch(() => [])).toEqual([])
    return answer
  }
  const objects = await readdir(s3.directory, { recursive: true })
  const path = join(s3.directory, objects.find((each) => each.includes('.tar.age') && each.endsWith('_object')) ?? '')
  expect((await readFile(path)).equals(whole)).toBe(true)
  // The first block of age's content is refused while the next ones arrive.
  for (const damaged of [changed, damagedAt(5000), damagedAt(50_000)]) {
    await writeFile(path, damaged)
    expect(await refused()).toMatchObject({ code: 1, err: expect.stringMatching(/damaged|not signed|another/) })
  }
  async function* content() {
    yield changed
  }
  await store.put(name, content())
  expect(await refused()).toMatchObject({ code: 1, err: expect.stringMatching(/damaged|not signed|another/) })
  await store.remove(name)
  expect(await refused()).toMatchObject({ code: 1, err: expect.stringContaining('no finished base backup') })
})
