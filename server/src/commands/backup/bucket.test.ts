import { randomBytes } from 'node:crypto'
import { buffer, text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type ProxyAnswer, startS3Proxy } from '../../../test/s3-proxy.ts'
import { startS3 } from '../../../test/s3-server.ts'
import { Absent, putText } from '../../platform/backup/backup-store.ts'
import { bucketStore } from '../../platform/backup/bucket-store.ts'
import { RefusedError } from '../../platform/backup/refused.ts'
import { stampOf } from '../../platform/backup/stretches.ts'
import { prune } from './retention.ts'

async function aBucket(answerOf: (asked: string) => ProxyAnswer = () => null) {
  const s3 = await startS3()
  onTestFinished(s3.stop)
  const proxy = await startS3Proxy(s3.store, answerOf)
  onTestFinished(proxy.stop)
  return { ...s3, asked: proxy.asked, backup: bucketStore(proxy.store), direct: bucketStore(s3.store) }
}

const names = async ({ list }: ReturnType<typeof bucketStore>, folder = '') =>
  (await list(folder)).map(({ name }) => name)

test('objects are put, listed below a folder, read and removed', async () => {
  const { backup } = await aBucket()
  for (const name of ['b/wal/2', 'b/wal/1', 'b/base/1', 'bb/1']) await putText(backup, name, name)
  expect(await names(backup)).toEqual(['b/base/1', 'b/wal/1', 'b/wal/2', 'bb/1'])
  expect(await backup.list('b/wal')).toMatchObject([
    { name: 'b/wal/1', bytes: 7, storedAt: expect.any(Number) },
    { name: 'b/wal/2' },
  ])
  expect(await text(await backup.get('b/wal/1'))).toBe('b/wal/1')
  await backup.remove('b/wal/1')
  await backup.remove('b/wal/1')
  await expect(backup.get('b/wal/1')).rejects.toThrow(Absent)
  expect(await names(backup, 'b')).toEqual(['b/base/1', 'b/wal/2'])
})

test('what is larger than a part comes back as it was; what breaks off is not there, and its parts are given up', async () => {
  const { backup, asked } = await aBucket()
  const bytes = randomBytes(40 * 2 ** 20)
  async function* content(isWhole: boolean) {
    for (let at = 0; at < bytes.length; at += 3_000_000) yield bytes.subarray(at, at + 3_000_000)
    if (!isWhole) throw new Error('PostgreSQL ended')
  }
  expect(await backup.put('whole', content(true))).toBe(bytes.length)
  expect((await buffer(await backup.get('whole'))).equals(bytes)).toBe(true)
  await expect(backup.put('half', content(false))).rejects.toThrow('PostgreSQL ended')
  expect(await names(backup)).toEqual(['whole'])
  expect(asked.filter((line) => /^DELETE .*half\?.*uploadId=/.test(line))).toHaveLength(1)
})

test('uploads that a killed process left are given up, but for young ones and those that still grow', async () => {
  const upload = (id: string, at: string) =>
    `<Upload><Key>isotherm/${id}</Key><UploadId>${id}</UploadId><Initiated>${at}</Initiated></Upload>`
  const [old, fresh] = ['2026-11-20T00:00:00.000Z', '2026-11-27T00:00:00.000Z']
  const { backup, asked } = await aBucket((line) => {
    if (line.startsWith('DELETE')) return { status: 204 }
    const uploads = upload('left', old) + upload('grows', old) + upload('young', fresh)
    if (/uploads=?(&|$)/.test(line))
      return { status: 200, body: `<ListMultipartUploadsResult>${uploads}</ListMultipartUploadsResult>` }
    const at = line.includes('grows') ? fresh : old
    const part = `<Part><PartNumber>1</PartNumber><LastModified>${at}</LastModified></Part>`
    return { status: 200, body: `<ListPartsResult>${part}</ListPartsResult>` }
  })
  await backup.removeUnfinished(new Date('2026-11-25T00:00:00Z'))
  const ended = asked.filter((line) => line.startsWith('DELETE'))
  expect(ended).toHaveLength(1)
  expect(ended[0]).toContain('uploadId=left')
})

test('a service that cannot list its uploads is no fault', async () => {
  const { direct } = await aBucket()
  await direct.removeUnfinished(new Date())
})

test('a bucket that does not answer refuses in words', async () => {
  const { direct, stop } = await aBucket()
  await stop()
  const words = /^s3:\/\/isotherm-files\/isotherm\/ does not answer, or refuses: /
  for (const asked of [() => putText(direct, 'a', 'b'), () => direct.get('a'), () => direct.list('')]) {
    const error = await asked().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RefusedError)
    expect((error as Error).message).toMatch(words)
  }
}, 60_000)

test('what is not kept any longer is removed from the bucket', async () => {
  const { backup } = await aBucket()
  const day = 86_400_000
  const now = Date.now()
  const stretch = 'isotherm_wal_20251001t000000z'
  const base = (ago: number) => `${stretch}/base/${stampOf(new Date(now + (100 - ago) * day))}`
  const wal = `${stretch}/wal/000000010000000000000001.age`
  const [first, second, needed, later] = [base(99), base(98), base(40), base(10)]
  for (const each of [first, second, needed, later])
    for (const end of ['.tar.age', '.about.age']) await putText(backup, `${each}${end}`, 'x')
  await putText(backup, wal, 'x')
  await putText(backup, 'installation/0123456789abcdef', 'x')
  await prune(backup, new Date(now + 100 * day))
  const left = await names(backup)
  expect(left).not.toContain(wal)
  expect(left).toContain('installation/0123456789abcdef')
  const isOneMonth = first.slice(0, -10) === second.slice(0, -10)
  const bases = left.filter((name) => name.endsWith('.tar.age')).map((name) => name.replace('.tar.age', ''))
  expect(bases).toEqual([first, ...(isOneMonth ? [] : [second]), needed, later])
})
