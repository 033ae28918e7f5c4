import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { expect, onTestFinished, test } from 'vitest'
import { packagedVersion } from '../../platform/db/embedded/binaries.ts'
import { migrations } from '../../platform/db/migrate.ts'
import { FORMAT, MANIFEST, type Manifest, SEAL, sealOf } from './manifest.ts'
import { checkBackup } from './restore-backup.ts'
import { type TarEntry, wholeFile, writeTar } from './tar.ts'

const content = Buffer.from('seal 4711')
const listed = (path: string) => ({
  path,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
})

interface Crafted {
  /** Names of the files that are in it, and of those the manifest speaks of. */
  files?: string[]
  listed?: string[]
  manifest?: object
  entries?: TarEntry[]
  seal?: Buffer
  after?: TarEntry[]
}

/** A backup as somebody else might make one. */
async function craft({ files = ['cluster/PG_VERSION'], ...rest }: Crafted = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-craft-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const database = {
    postgres: await packagedVersion(),
    migrations: (await migrations()).map(({ name, hash }) => ({ name, hash })),
  }
  const about: Manifest = {
    ...{ format: FORMAT, version: '9.9.9', createdAt: '2026-11-21T12:00:00Z', platform: 'linux-x64', database },
    files: (rest.listed ?? files).map(listed),
  }
  const text = Buffer.from(JSON.stringify({ ...about, ...rest.manifest }))
  async function* entries() {
    for (const name of files) yield wholeFile(name, content)
    yield* rest.entries ?? []
    yield wholeFile(MANIFEST, text)
    yield wholeFile(SEAL, rest.seal ?? sealOf(text))
    yield* rest.after ?? []
  }
  const file = join(dir, 'crafted.tar')
  await writeFile(file, Buffer.concat(await Readable.from(writeTar(entries(), 0)).toArray()))
  return file
}

test('a backup as we make them is whole', async () => {
  const files = [
    'cluster/PG_VERSION',
    'cluster/base/1/1255',
    'data/files/record-attachments/00/x.txt',
    'data/secret.key',
  ]
  expect((await checkBackup(await craft({ files }))).version).toBe('9.9.9')
})

test.each([
  '../evil',
  'data/../../evil',
  'cluster/../../../etc/passwd',
  '/etc/passwd',
  'data//x',
  'data/./x',
  'data/x\\y',
  'data/x\ny',
  'data',
  'elsewhere/x',
  'data/postgres/cluster/PG_VERSION',
  'data/postgres.json',
  'data/before-restore-x/secret.key',
])('the name %j is refused', async (name) => {
  await expect(checkBackup(await craft({ files: ['cluster/PG_VERSION', name] }))).rejects.toThrow(
    'which is in no backup of Isotherm',
  )
})

test('a link is refused', async () => {
  const file = await craft()
  const link = pack()
  link.entry({ name: 'data/link', type: 'symlink', linkname: '../../etc' })
  link.finalize()
  await writeFile(file, Buffer.concat(await Readable.from(link).toArray()))
  await expect(checkBackup(file)).rejects.toThrow('neither file nor folder')
})

test.each([
  [
    'a file that is not as the manifest says',
    { files: ['data/a', 'cluster/b'], listed: ['data/a', 'cluster/c'] },
    'missing',
  ],
  ['a file too many', { files: ['cluster/a', 'data/b'], listed: ['cluster/a'] }, 'is not in its manifest'],
  ['a file twice', { files: ['cluster/a', 'cluster/a'] }, 'twice'],
  ['another content', { manifest: { files: [{ ...listed('cluster/PG_VERSION'), sha256: '00' }] } }, 'damaged'],
  ['a manifest without sense', { manifest: { createdAt: 'today' } }, 'manifest is damaged'],
  ['a manifest that somebody wrote in', { seal: Buffer.from('other') }, 'manifest is damaged'],
  ['something after the manifest', { after: [wholeFile('data/late', content)] }, 'follows the manifest'],
  ['a newer format', { manifest: { format: FORMAT + 1 } }, 'restore it with a newer one'],
  ['no cluster', { files: ['data/a'] }, 'manifest is damaged'],
  ['another PostgreSQL', { manifest: { database: { postgres: '17.2', migrations: [] } } }, 'is of PostgreSQL 17'],
] satisfies [string, Crafted, string][])('%s is refused', async (_, crafted, words) => {
  await expect(checkBackup(await craft(crafted))).rejects.toThrow(words)
})

test('a database of a newer version is refused by the name of its migration; one of an older is not', async () => {
  const postgres = await packagedVersion()
  const known = (await migrations()).map(({ name, hash }) => ({ name, hash }))
  const newer = [...known, { name: '9999_future.sql', hash: 'ff' }]
  await expect(checkBackup(await craft({ manifest: { database: { postgres, migrations: newer } } }))).rejects.toThrow(
    '9999_future.sql',
  )
  const older = { database: { postgres, migrations: known.slice(0, 3) } }
  expect(await checkBackup(await craft({ manifest: older }))).toMatchObject(older)
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['words', Buffer.from('no backup at all'.repeat(100))],
  ['zeros', Buffer.alloc(4096)],
  ['half a gzip', Buffer.from('1f8b0800000000000003', 'hex')],
  ['half a zstd', Buffer.from('28b52ffd0458', 'hex')],
])('%s is no backup', async (_, bytes) => {
  const file = await craft()
  await writeFile(file, bytes)
  await expect(checkBackup(file)).rejects.toThrow(/cut off|damaged|no backup/)
})

test('a file that is not there is named', async () => {
  await expect(checkBackup('/nowhere/x.tar')).rejects.toThrow('There is no /nowhere/x.tar')
})
