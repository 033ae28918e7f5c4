import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'isotherm-folder-'))
})
afterEach(() => rm(dir, { recursive: true }))

test('a folder is made with those above it, and stays where it is there', async () => {
  const path = join(dir, 'a/b')
  await makeFolder(path, 0o711)
  expect((await stat(path)).mode & 0o777).toBe(0o711)
  await makeFolder(path, 0o700)
  expect((await stat(path)).mode & 0o777).toBe(0o711)
})

test('a place that takes no folder is refused at once', async () => {
  const file = join(dir, 'file')
  await writeFile(file, '')
  for (const path of [file, join(file, 'more')]) await expect(makeFolder(path, 0o711)).rejects.toThrow(path)
  if (process.platform === 'linux')
    await expect(makeFolder('/proc/isotherm/data', 0o711)).rejects.toThrow('/proc/isotherm')
})
