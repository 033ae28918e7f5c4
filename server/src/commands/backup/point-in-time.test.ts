import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Absent, diskStore } from '../../platform/backup/backup-store.ts'
import { newIdentity, readIdentities } from '../../platform/backup/identity-file.ts'
import { logFolder, newStretch, readStretch, segmentsFrom } from '../../platform/backup/stretches.ts'
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
  const writer = new WalWriter({ store, sealer: { recipients: [recipient], keys }, stretch, timeline }, start)
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
    writer.take(start + BigInt(from), bytes.subarray(from, to), Date.now())
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
  writer.take(start, randomBytes(1000), Date.now())
  await writer.store()
  const pieces = (await listed()) ?? expect.unreachable()
  for (const { name } of pieces.parts) await store.remove(name)
  await expect(segmentOf(vault, stretch, timeline, pieces)).rejects.toThrow(Absent)
})
