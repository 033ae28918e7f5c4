import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { unpacked } from '../../test/unpacked.ts'
import { drained } from './drained.ts'
import { writeZip } from './zip.ts'

test('a ZIP holds its files as they were written, with a manifest of their hashes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-zip-'))
  const path = join(folder, 'pack.zip')
  const large = randomBytes(3_000_000)
  const out = createWriteStream(path)
  const files = [
    { name: 'réadings.csv', write: (to: Parameters<typeof drained>[0]) => drained(to, 'a,b\r\n1,2\r\n') },
    {
      name: 'files/large.bin',
      write: async (to: Parameters<typeof drained>[0]) => {
        for (let at = 0; at < large.length; at += 100_000) await drained(to, large.subarray(at, at + 100_000))
        to.end()
      },
    },
  ]
  await writeZip(out, files, new Date('2026-11-23T18:00:00Z'))
  out.end()
  await finished(out)
  const found = unpacked(await readFile(path))
  expect([...found.keys()]).toEqual(['réadings.csv', 'files/large.bin', 'manifest.sha256'])
  expect(found.get('files/large.bin')?.equals(large)).toBe(true)
  const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(found.get('manifest.sha256')?.toString()).toBe(
    `${hash('a,b\r\n1,2\r\n')}  réadings.csv\n${hash(large)}  files/large.bin\n`,
  )
})
