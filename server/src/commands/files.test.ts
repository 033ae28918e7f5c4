import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startS3Proxy } from '../../test/s3-proxy.ts'
import { startS3 } from '../../test/s3-server.ts'
import type { BucketConfig } from '../platform/config/bucket.ts'
import { openFiles } from '../platform/files/files.ts'
import { objectStore } from '../platform/files/object-store.ts'
import { copyFiles } from './files.ts'

async function aServer(fileStore: BucketConfig | null) {
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-bucket-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  return { dataDir, files: openFiles({ dataDir, fileStore }) }
}

async function aBucket() {
  const s3 = await startS3()
  onTestFinished(s3.stop)
  return s3
}

async function keep(files: ReturnType<typeof openFiles>, bytes: Buffer) {
  const file = await files.begin('record-attachments', 'bin')
  await writeFile(file.path, bytes)
  expect(await file.keep()).toEqual({ sizeBytes: bytes.length })
  return file.key
}

const bytesOf = async (files: ReturnType<typeof openFiles>, key: string) => {
  const content = await files.read(key)
  return content && (await buffer(content))
}

test.each([0, 11, 40 * 2 ** 20])(
  '%d bytes that one server keeps are read by another one',
  async (size) => {
    const { store } = await aBucket()
    const [one, other] = [await aServer(store), await aServer(store)]
    const bytes = randomBytes(size)
    const key = await keep(one.files, bytes)
    expect((await bytesOf(other.files, key))?.equals(bytes)).toBe(true)
    expect((await readFile(await other.files.needPath(key))).equals(bytes)).toBe(true)
    await one.files.remove(key)
    expect(await one.files.read(key)).toBeUndefined()
    expect(await other.files.read(key)).toBeUndefined()
    await one.files.remove(key)
  },
  120_000,
)

test('a file is not there before it is kept, nor where it was discarded', async () => {
  const { store } = await aBucket()
  const { files } = await aServer(store)
  const file = await files.begin('record-attachments', 'bin')
  await writeFile(file.path, 'half')
  expect(await files.read(file.key)).toBeUndefined()
  await file.discard()
  expect(await files.pathOf(file.key)).toBeUndefined()
  await expect(files.needPath(file.key)).rejects.toThrow('is gone')
})

test('a file from before, which only DATA_DIR has, is read, and gone once it is removed', async () => {
  const { store } = await aBucket()
  const before = await aServer(null)
  const key = await keep(before.files, Buffer.from('from before'))
  const files = openFiles({ dataDir: before.dataDir, fileStore: store })
  expect((await bytesOf(files, key))?.toString()).toBe('from before')
  expect(await readFile(await files.needPath(key), 'utf8')).toBe('from before')
  await files.forgetUnfinished(new Date(Date.now() + 1_000))
  expect((await bytesOf(files, key))?.toString()).toBe('from before')
  await files.remove(key)
  expect(await before.files.read(key)).toBeUndefined()
})

test('copies are removed after a while; what the bucket has stays', async () => {
  const { store } = await aBucket()
  const { files } = await aServer(store)
  const key = await keep(files, Buffer.from('ten degrees'))
  const copy = await files.needPath(key)
  await utimes(copy, new Date(0), new Date(0))
  expect(await files.forgetUnfinished(new Date(Date.now() - 1_000))).toBe(1)
  expect(await readdir(dirname(copy))).toEqual([])
  expect((await bytesOf(files, key))?.toString()).toBe('ten degrees')
})

test('an object that is not what was stored ends in an error', async () => {
  const { store, directory } = await aBucket()
  const { files } = await aServer(store)
  const key = await keep(files, Buffer.from('ten degrees'))
  const names = await readdir(directory, { recursive: true })
  const object = names.find((name) => name.endsWith('_object')) ?? ''
  await writeFile(join(directory, object), 'two degrees')
  await expect(bytesOf(files, key)).rejects.toThrow('is not what was stored')
})

test('a bucket that does not answer refuses, and nothing is half done', async () => {
  const { store, stop } = await aBucket()
  const { dataDir, files } = await aServer(store)
  const kept = await keep(files, Buffer.from('ten degrees'))
  await stop()
  const file = await files.begin('record-attachments', 'bin')
  await writeFile(file.path, 'never there')
  await expect(file.keep()).rejects.toMatchObject({ code: 'FILES_UNREACHABLE' })
  await file.discard()
  await expect(files.read(kept)).rejects.toMatchObject({ code: 'FILES_UNREACHABLE' })
  await expect(files.remove(kept)).rejects.toMatchObject({ code: 'FILES_UNREACHABLE' })
  const left = await readdir(dataDir, { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toHaveLength(1)
}, 60_000)

test('a bucket that answers 503 for a while refuses meanwhile, and is asked again by who looks at its fault', async () => {
  const { store } = await aBucket()
  let isAway = true
  const proxy = await startS3Proxy(store, () => (isAway ? { status: 503 } : null))
  onTestFinished(proxy.stop)
  const { files } = await aServer(proxy.store)
  const { fault } = objectStore(proxy.store)
  expect(fault()).toBeNull()
  const bytes = Buffer.from('ten degrees')
  await expect(keep(files, bytes)).rejects.toMatchObject({ code: 'FILES_UNREACHABLE', retryAfterS: 60 })
  expect(fault()).not.toBeNull()
  isAway = false
  await expect.poll(fault, { timeout: 30_000 }).toBeNull()
  expect(await bytesOf(files, await keep(files, bytes))).toEqual(bytes)
}, 60_000)

test('a bucket that takes connections and says nothing refuses as well', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const { store } = await aBucket()
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { files } = await aServer({ ...store, endpoint, answerMs: 200 })
  const file = await files.begin('record-attachments', 'bin')
  await writeFile(file.path, 'never there')
  await expect(file.keep()).rejects.toMatchObject({ code: 'FILES_UNREACHABLE' })
  await expect(files.read(file.key)).rejects.toMatchObject({ code: 'FILES_UNREACHABLE' })
}, 60_000)

test('an upload in parts that fails is given up: no file is there, and no part is left', async () => {
  const { store } = await aBucket()
  const proxy = await startS3Proxy(store, (line) => (line.includes('partNumber=2') ? { status: 500 } : null))
  onTestFinished(proxy.stop)
  const { files } = await aServer(proxy.store)
  const file = await files.begin('record-attachments', 'bin')
  await writeFile(file.path, randomBytes(20 * 2 ** 20))
  await expect(file.keep()).rejects.toMatchObject({ code: 'FILES_UNREACHABLE' })
  await file.discard()
  const [begun, ...others] = proxy.asked.filter((line) => /^POST .*[?&]uploads/.test(line))
  const ended = proxy.asked.filter((line) => /^DELETE .*[?&]uploadId=/.test(line))
  expect([others, ended.length]).toEqual([[], 1])
  expect(ended[0]?.split('?')[0]).toBe(begun?.split('?')[0]?.replace('POST', 'DELETE'))
  expect(proxy.asked.filter((line) => line.includes('partNumber=3'))).toEqual([])
  expect(await files.read(file.key)).toBeUndefined()
}, 60_000)

test('the objects of a bucket are listed', async () => {
  const { store } = await aBucket()
  const { files } = await aServer(store)
  const keys = [await keep(files, Buffer.from('a')), await keep(files, Buffer.from('bc'))]
  const listed = []
  for await (const page of objectStore(store).list()) listed.push(...page)
  expect(listed.sort((a, b) => a.bytes - b.bytes)).toEqual(
    keys.map((name, index) => ({ name, bytes: index + 1, at: expect.any(Date) })),
  )
})

test('the files of DATA_DIR are copied once; a damaged object is copied again', async () => {
  const { store, directory } = await aBucket()
  const { dataDir, files } = await aServer(null)
  const keys = [await keep(files, Buffer.from('a')), await keep(files, randomBytes(9 * 2 ** 20))]
  await writeFile((await files.begin('record-attachments', 'bin')).path, 'not kept yet')
  const place = { dataDir, fileStore: store }
  expect(await copyFiles(place)).toEqual({ copied: 2, there: 0, faults: [] })
  expect(await copyFiles(place)).toEqual({ copied: 0, there: 2, faults: [] })
  const object = (await readdir(directory, { recursive: true })).find((name) => name.endsWith('_object')) ?? ''
  await writeFile(join(directory, object), 'damaged')
  expect(await copyFiles(place)).toEqual({ copied: 1, there: 1, faults: [] })
  const other = await aServer(store)
  for (const key of keys)
    expect((await bytesOf(other.files, key))?.equals((await bytesOf(files, key)) ?? Buffer.of())).toBe(true)
}, 60_000)

test('a name that is none of ours is refused', async () => {
  const { store } = await aBucket()
  const { dataDir, files } = await aServer(store)
  await mkdir(join(dataDir, 'secret'))
  await expect(files.read('../secret')).rejects.toThrow(TypeError)
})
