import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openFiles } from './files.ts'

async function open() {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-files-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return { dir, files: openFiles({ dataDir: dir, fileStore: null }) }
}

test('a file is there once it is kept, and not before', async () => {
  const { files } = await open()
  const begun = await files.begin('device-reports', 'pdf')
  await writeFile(begun.path, 'ten degrees')
  expect(await files.read(begun.key)).toBeUndefined()
  expect(await begun.keep()).toEqual({ sizeBytes: 11 })
  const found = await files.read(begun.key)
  expect(found && (await text(found))).toBe('ten degrees')
})

test('a file that is taken away as it is opened fails for its reader, and for nobody else', async () => {
  const { files } = await open()
  const begun = await files.begin('device-reports', 'pdf')
  await writeFile(begun.path, 'ten degrees')
  await begun.keep()
  const found = await files.read(begun.key)
  // Before it is opened, which takes a moment.
  rmSync(files.placeOf(begun.key))
  // An error that nobody hears fails this run: whoever asked may have something else to do first.
  await new Promise((closed) => found?.once('close', closed))
  await expect(found && text(found)).rejects.toThrow('ENOENT')
})

test('what is discarded leaves nothing behind', async () => {
  const { dir, files } = await open()
  const begun = await files.begin('device-reports', 'csv')
  await writeFile(begun.path, 'half')
  await begun.discard()
  const left = await readdir(dir, { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
})

test('names are ours, cannot be guessed, and their folders are closed to others', async () => {
  const { dir, files } = await open()
  const [a, b] = [await files.begin('device-reports', 'pdf'), await files.begin('device-reports', 'pdf')]
  expect(a.key).toMatch(/^device-reports\/[0-9a-f]{2}\/[0-9a-f]{32}\.pdf$/)
  expect(a.key).not.toBe(b.key)
  expect((await stat(join(dir, 'files'))).mode & 0o777).toBe(0o700)
})

test.each(['../secret.key', 'device-reports/../../secret.key', '/etc/passwd', ''])('%j is no key', async (key) => {
  const { files } = await open()
  await expect(files.read(key)).rejects.toThrow(TypeError)
})
