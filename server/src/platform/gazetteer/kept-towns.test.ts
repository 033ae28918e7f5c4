import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keptTowns } from './kept-towns.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-towns-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('towns are read once for all starts, and those of other versions are removed', async () => {
  await writeFile(join(folder, 'towns-0123456789ab.json'), '{}')
  const read = await keptTowns(folder)
  const [name = '', ...others] = await readdir(folder)
  expect(others).toEqual([])
  expect(name).toMatch(/^towns-[0-9a-f]{12}\.json$/)
  expect(read.names.split('\n')).toContain('Nairobi')
  const file = join(folder, name)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(read)

  // The answer is read from there.
  await writeFile(file, JSON.stringify({ ...read, names: 'Elsewhere' }))
  expect((await keptTowns(folder)).names).toBe('Elsewhere')

  // A file that was cut off is made anew.
  await writeFile(file, JSON.stringify(read).slice(0, 1_000))
  expect(await keptTowns(folder)).toEqual(read)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(read)
}, 300_000)

test('a folder that cannot be written costs nothing but time', async () => {
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  expect((await keptTowns(file)).names.split('\n')).toContain('Nairobi')
}, 300_000)
