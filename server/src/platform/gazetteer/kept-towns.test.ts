import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KeptTowns } from './columns.ts'
import { keptTowns } from './kept-towns.ts'
import { readTowns, writeTowns } from './towns-bytes.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-towns-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const namesOf = ({ gazetteer }: KeptTowns) => gazetteer.names.text.split('\n')

test('towns are read once for all starts, and those of other versions are removed', async () => {
  await writeFile(join(folder, 'towns-0123456789ab.json'), '{}')
  await writeFile(join(folder, 'towns-0123456789ab.bin'), '')
  const read = await keptTowns(folder)
  const [name = '', ...others] = await readdir(folder)
  expect(others).toEqual([])
  expect(name).toMatch(/^towns-[0-9a-f]{12}\.bin$/)
  expect(namesOf(read)).toContain('Nairobi')
  const file = join(folder, name)
  expect(isDeepStrictEqual(readTowns(await readFile(file)), read)).toBe(true)

  // The answer is read from there.
  const elsewhere = { ...read, gazetteer: { ...read.gazetteer, countries: 'XX' } }
  await writeFile(file, writeTowns(elsewhere))
  expect((await keptTowns(folder)).gazetteer.countries).toBe('XX')

  // A file that was cut off is made anew.
  await writeFile(file, writeTowns(read).subarray(0, -1_000))
  expect(isDeepStrictEqual(await keptTowns(folder), read)).toBe(true)
  expect(isDeepStrictEqual(readTowns(await readFile(file)), read)).toBe(true)
}, 300_000)

test('a folder that cannot be written costs nothing but time', async () => {
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  expect(namesOf(await keptTowns(file))).toContain('Nairobi')
}, 300_000)
