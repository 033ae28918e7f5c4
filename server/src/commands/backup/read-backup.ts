import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { RefusedError } from '../../platform/backup/refused.ts'
import { isLeftOut } from './data-files.ts'
import { hashed } from './hashed.ts'
import { type ListedFile, MANIFEST, type Manifest, parseManifest, SEAL, sealOf } from './manifest.ts'
import { unpacked } from './packed.ts'
import { readTar, type TarEntry } from './tar.ts'

const LARGEST_MANIFEST = 128 * 2 ** 20

/**
 * Reads a backup to its end, compares every file with the manifest, and returns that. `take` gets each file and folder, and must
 * read the body; what it was given is to be trusted only once this resolves. Throws RefusedError for whatever is wrong.
 */
export const readBackup = (file: string, take: (entry: TarEntry) => Promise<void> = skip): Promise<Manifest> =>
  readArchive(file, () => unpacked(file), take)

/** The same of an archive that comes unpacked; `file` names it for people. */
export async function readArchive(
  file: string,
  open: () => Promise<Readable>,
  take: (entry: TarEntry) => Promise<void>,
): Promise<Manifest> {
  // The reader of an entry hears only that there is no more of it.
  let cause: unknown
  try {
    const stream = await open()
    stream.once('error', (error) => {
      cause = error
    })
    return await read(stream, take)
  } catch (caught) {
    const error = cause instanceof RefusedError ? cause : caught
    if (error instanceof RefusedError) throw new RefusedError(`${file}: ${error.message}`)
    if (isDamage(error)) throw new RefusedError(`${file}: it is damaged or cut off (${(error as Error).message}).`)
    throw error
  }
}

async function read(stream: Readable, take: (entry: TarEntry) => Promise<void>): Promise<Manifest> {
  const found = new Map<string, ListedFile>()
  let manifest: Buffer | undefined
  let isSealed = false
  try {
    for await (const entry of readTar(stream)) {
      if (entry.name === SEAL && manifest && !isSealed) {
        isSealed = (await textOf(entry)).equals(sealOf(manifest))
        if (!isSealed) throw new RefusedError('Its manifest is damaged.')
        continue
      }
      if (manifest) throw new RefusedError(`${JSON.stringify(entry.name)} follows the manifest.`)
      if (entry.name === MANIFEST) {
        manifest = await textOf(entry)
        continue
      }
      checkName(entry)
      if (found.has(entry.name)) throw new RefusedError(`${entry.name} is in it twice.`)
      const hash = createHash('sha256')
      await take({ ...entry, body: hashed(entry.body, hash) })
      if (entry.type === 'file') {
        found.set(entry.name, { path: entry.name, bytes: entry.size, sha256: hash.digest('hex') })
      }
    }
  } finally {
    stream.destroy()
  }
  if (!manifest || !isSealed) throw new RefusedError('It has no manifest: it is cut off, or no backup of Isotherm.')
  const read = understand(manifest)
  compare(read, found)
  return read
}

async function textOf(entry: TarEntry): Promise<Buffer> {
  if (entry.type !== 'file' || entry.size > LARGEST_MANIFEST) throw new RefusedError('Its manifest is damaged.')
  const pieces: Buffer[] = []
  for await (const piece of entry.body) pieces.push(piece)
  return Buffer.concat(pieces)
}

function understand(manifest: Buffer): Manifest {
  try {
    return parseManifest(manifest.toString())
  } catch (error) {
    if (error instanceof RefusedError) throw error
    throw new RefusedError('Its manifest is damaged.')
  }
}

/** Only names that a backup gives can be restored: nothing may reach out of the folder, nor stand where something else will. */
function checkName({ name, type }: Pick<TarEntry, 'name' | 'type'>): void {
  const [place = '', ...rest] = name.split('/')
  const isPlain = rest.length > 0 && rest.every((part) => part !== '' && part !== '.' && part !== '..')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  const isClean = isPlain && !/[\x00-\x1f\\]/.test(name)
  const isOurs = place === 'cluster' || (place === 'data' && type === 'file' && !isLeftOut(rest[0] ?? ''))
  if (!isClean || !isOurs)
    throw new RefusedError(`It holds ${JSON.stringify(name)}, which is in no backup of Isotherm.`)
}

/** The same of files that were added to DATA_DIR. */
export function checkDataName(entry: Pick<TarEntry, 'name' | 'type'>): void {
  checkName(entry)
  if (!entry.name.startsWith('data/')) throw new RefusedError(`It holds ${entry.name}, which is no file of DATA_DIR.`)
}

function compare(manifest: Manifest, found: Map<string, ListedFile>): void {
  for (const { path, bytes, sha256 } of manifest.files) {
    const here = found.get(path)
    if (!here) throw new RefusedError(`${path} is missing.`)
    if (here.bytes !== bytes || here.sha256 !== sha256) {
      throw new RefusedError(`${path} is damaged: its SHA-256 is not the manifest's.`)
    }
    found.delete(path)
  }
  const [extra] = found.keys()
  if (extra) throw new RefusedError(`${extra} is not in its manifest.`)
  const hasCluster = manifest.files.some(({ path }) => path.startsWith('cluster/'))
  if (hasCluster !== (manifest.database !== null)) throw new RefusedError('Its manifest is damaged.')
}

async function skip({ body }: TarEntry): Promise<void> {
  for await (const _ of body);
}

/** The error codes of zlib for bytes that it did not pack. */
const isDamage = (error: unknown) => {
  const { code = '' } = error as NodeJS.ErrnoException
  return code.startsWith('Z_') || code.startsWith('ZSTD_')
}
