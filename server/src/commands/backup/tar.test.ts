import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { readTar, wholeFile, writeTar } from './tar.ts'

const all = async (stream: AsyncIterable<Buffer>): Promise<Buffer[]> => Readable.from(stream).toArray()
const archive = async (files: { name: string; content: Buffer }[]) =>
  Buffer.concat(await all(writeTar(entriesOf(files), 1_795_262_369)))

async function* entriesOf(files: { name: string; content: Buffer }[]) {
  for (const { name, content } of files) yield wholeFile(name, content)
}

async function read(bytes: Buffer, chunk = bytes.length) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
    bytes.subarray(at * chunk, (at + 1) * chunk),
  )
  const found: { name: string; content: Buffer }[] = []
  for await (const { name, body } of readTar(Readable.from(pieces))) {
    found.push({ name, content: Buffer.concat(await all(body)) })
  }
  return found
}

const part = fc.stringMatching(/^[a-z0-9é_.-]{1,40}$/)
const file = fc.record({
  name: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
  content: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
})

test('what was written is read again, in whatever pieces it comes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 6 }), fc.integer({ min: 1, max: 2000 }), async (files, chunk) => {
      expect(await read(await archive(files), chunk)).toEqual(files)
    }),
    { numRuns: 50 },
  )
})

test('any tar unpacks it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-tar-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const long = `${'deep/'.repeat(25)}seal.txt`
  const files = [
    { name: 'a.txt', content: Buffer.from('seal 4711') },
    { name: long, content: Buffer.alloc(1025, 'x') },
  ]
  await writeFile(join(dir, 'all.tar'), await archive(files))
  expect(spawnSync('tar', ['-xf', 'all.tar'], { cwd: dir, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  for (const { name, content } of files) expect(await readFile(join(dir, name))).toEqual(content)
})

test('cut off anywhere, it is refused', async () => {
  const bytes = await archive([{ name: 'a', content: Buffer.alloc(700, 'a') }])
  for (let length = 1; length < bytes.length - 512; length += 97) {
    await expect(read(bytes.subarray(0, length)), String(length)).rejects.toThrow('cut off')
  }
})

test('cut off between its files, or without its end, it is refused', async () => {
  // A file of PostgreSQL often ends with zeros, which are not the end of the archive.
  const bytes = await archive([
    { name: 'a', content: Buffer.alloc(1024) },
    { name: 'b', content: Buffer.alloc(0) },
  ])
  for (let length = 512; length <= 2048; length += 512) {
    await expect(read(bytes.subarray(0, length)), String(length)).rejects.toThrow('cut off')
  }
  expect(await read(bytes.subarray(0, 2560))).toHaveLength(2)
})

test('a header with another byte is refused', async () => {
  for (const at of [0, 50, 101, 124, 148, 156, 257, 400]) {
    const bytes = await archive([{ name: 'a', content: Buffer.from('a') }])
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await expect(read(bytes), String(at)).rejects.toThrow('damaged')
  }
})

test.each(['x'.repeat(101), `${'d'.repeat(156)}/x`])('a name that has no room is refused: %s', async (name) => {
  await expect(archive([{ name, content: Buffer.alloc(0) }])).rejects.toThrow('too long')
})

test('a file that grew while it was read is refused', async () => {
  const entry = { ...wholeFile('a', Buffer.from('abc')), size: 2 }
  await expect(all(writeTar(Readable.from([entry]), 0))).rejects.toThrow('changed while it was read')
})
