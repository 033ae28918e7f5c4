import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Absent, type BackupStore, diskStore } from '../../platform/backup/backup-store.ts'
import { newIdentity, readIdentities } from '../../platform/backup/identity-file.ts'
import { SealThread } from '../../platform/backup/seal-thread.ts'
import { listSettled, logFolder, newStretch, readStretch, segmentsFrom } from '../../platform/backup/stretches.ts'
import { SEGMENT_BYTES } from '../../platform/backup/wal-position.ts'
import { WalWriter } from '../../platform/backup/wal-writer.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { segmentOf } from './point-in-time.ts'

const timeline = 1
const start = BigInt(SEGMENT_BYTES)

async function aLog() {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-log-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const keys = await signingKeys(dir)
  const { text, recipient } = await newIdentity(keys.id)
  await writeFile(join(dir, 'identity'), text)
  const store = diskStore(join(dir, 'vault'))
  const stretch = newStretch(new Date())
  const sealing = new SealThread({ dataDir: dir, recipients: [recipient] })
  onTestFinished(() => sealing.stop())
  const writer = new WalWriter({ store, sealing, stretch, timeline }, start)
  const listed = async () => {
    const { log } = readStretch(stretch, await store.list(logFolder(stretch)))
    return segmentsFrom(log, timeline, start)[0]
  }
  return { writer, stretch, listed, store, vault: { store, identities: await readIdentities(join(dir, 'identity')) } }
}

test('a segment whose pieces were put together after they were listed is read all the same', async () => {
  const { writer, stretch, listed, vault } = await aLog()
  const bytes = randomBytes(SEGMENT_BYTES)
  const take = async (from: number, to: number) => {
    writer.take(start + BigInt(from), bytes.subarray(from, to))
    await writer.store()
  }
  for (let n = 0; n < 3; n += 1) await take(n * 1000, (n + 1) * 1000)
  const pieces = await listed()
  expect(pieces?.parts).toHaveLength(3)
  await take(3000, SEGMENT_BYTES)
  expect((await listed())?.parts).toHaveLength(1)
  const read = await segmentOf(vault, stretch, timeline, pieces ?? expect.unreachable())
  expect(read.bytes.equals(bytes)).toBe(true)
})

test('a segment that is gone is said to be so', async () => {
  const { writer, stretch, listed, store, vault } = await aLog()
  writer.take(start, randomBytes(1000))
  await writer.store()
  const pieces = (await listed()) ?? expect.unreachable()
  for (const { name } of pieces.parts) await store.remove(name)
  await expect(segmentOf(vault, stretch, timeline, pieces)).rejects.toThrow(Absent)
})

test('a segment says when it can have begun: not when it was sent, which is later after an outage', async () => {
  const { writer, stretch, store, vault } = await aLog()
  const segment = BigInt(SEGMENT_BYTES)
  const whole = Buffer.alloc(SEGMENT_BYTES)
  const hour = 3_600_000
  // Two segments were written while nobody received; what follows comes as it is written.
  writer.hear(start + 2n * segment, 10 * hour)
  writer.take(start, whole)
  writer.take(start + segment, whole)
  await writer.store()
  writer.hear(start + 2n * segment + 5n, 11 * hour)
  writer.take(start + 2n * segment, whole)
  writer.hear(start + 3n * segment, 12 * hour)
  writer.hear(start + 3n * segment + 1n, 13 * hour)
  writer.take(start + 3n * segment, Buffer.alloc(1000))
  await writer.store()
  const { log } = readStretch(stretch, await store.list(logFolder(stretch)))
  const since = []
  for (const each of segmentsFrom(log, timeline, start)) {
    const read = await segmentOf(vault, stretch, timeline, each)
    since.push(Date.parse(read.since) / hour)
  }
  expect(since).toEqual([0, 0, 10, 12])
})

test('a listing that met pieces while they were put together is taken again', async () => {
  const name = (n: number) => ({ name: `a/${n}`, bytes: 1, storedAt: 0 })
  const listings = [[1], [1, 2, 3], [1, 2, 3], [4]].map((each) => each.map(name))
  const store = { list: async () => listings.shift() ?? [] } as unknown as BackupStore
  expect(await listSettled(store, 'a')).toEqual([1, 2, 3].map(name))
  let n = 0
  const changing = { list: async () => [name(1), name(++n + 1)] } as unknown as BackupStore
  expect((await listSettled(changing, 'a')).length).toBe(n + 1)
})

test('what a killed process left is removed after a day, and each new folder is there', async () => {
  const { store } = await aLog()
  async function* fails() {
    yield Buffer.from('x')
    throw new Error('cut')
  }
  await expect(store.put('a/b/c', fails())).rejects.toThrow('cut')
  await writeFile(join(store.place, 'a/b/d.1.part'), 'x')
  await writeFile(join(store.place, 'a/b/e'), 'x')
  await store.removeUnfinished(new Date(0))
  expect(await readdir(join(store.place, 'a/b'))).toEqual(['d.1.part', 'e'])
  await store.removeUnfinished(new Date(Date.now() + 60_000))
  expect(await readdir(join(store.place, 'a/b'))).toEqual(['e'])
})
