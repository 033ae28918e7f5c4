import { chmod, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chooseAccount } from './account.ts'
import { findBinaries, restoreSymlinks } from './binaries.ts'

const isRoot = process.getuid?.() === 0

/** A package as `npm ci --ignore-scripts` leaves it: files, and a list of the links that are missing. */
async function unpacked(mode: number) {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-package-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'native/lib'), { recursive: true })
  await mkdir(join(dir, 'native/bin'))
  await writeFile(join(dir, 'package.json'), '{"version":"18.9.9"}')
  await writeFile(join(dir, 'native/lib/libx.so.1.2'), 'library')
  await writeFile(join(dir, 'native/bin/postgres'), 'program')
  await chmod(join(dir, 'native/bin/postgres'), 0o755)
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
  await writeFile(join(dir, 'native/pg-symlinks.json'), JSON.stringify(links))
  await chmod(dir, mode)
  return dir
}

test('library links that the install script would have made are made, once', async () => {
  const dir = await unpacked(0o755)
  await restoreSymlinks(dir)
  await restoreSymlinks(dir)
  expect(await readlink(join(dir, 'native/lib/libx.so.1'))).toBe('libx.so.1.2')
})

test('binaries that the account can reach are used where they are', async () => {
  const dir = await unpacked(0o755)
  const found = await findBinaries(null, join(dir, 'copies'), dir)
  expect(found).toMatchObject({ dir: join(dir, 'native'), version: '18.9.9' })
})

test.runIf(isRoot)('binaries in a folder that the account cannot enter are copied, links included', async () => {
  const dir = await unpacked(0o700)
  const copies = await unpacked(0o755)
  const found = await findBinaries(chooseAccount(), copies, dir)
  expect(found.postgres.startsWith(copies)).toBe(true)
  expect(await readFile(join(found.dir, 'lib/libx.so.1'), 'utf8')).toBe('library')
  expect(await findBinaries(chooseAccount(), copies, dir)).toEqual(found)
})
