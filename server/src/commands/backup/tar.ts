import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, type Pack, pack } from 'tar-stream'
import { RefusedError } from '../../platform/backup/refused.ts'

/** A file or folder on its way into or out of an archive. The body must be read to its end before the next one. */
export interface TarEntry {
  name: string
  type: 'file' | 'folder'
  size: number
  /** Its permission bits. */
  mode: number
  body: AsyncIterable<Buffer>
}

const BLOCK = 512
const TYPES: Record<string, TarEntry['type']> = { file: 'file', directory: 'folder' }
/** A name has room in 100 bytes, and in 155 more before a slash; longer ones would need an extension. */
const hasRoom = (name: string) => /^(?:.{1,155}\/)?.{1,100}$/s.test(Buffer.from(name).toString('latin1'))

/** The bytes of an archive of these entries, in their order. Throws when a body is not as long as was said. */
export async function* writeTar(entries: AsyncIterable<TarEntry>, mtimeS: number): AsyncGenerator<Buffer> {
  const archive = pack()
  const filled = fill(archive, entries, new Date(mtimeS * 1000)).catch((error) => archive.destroy(error))
  try {
    yield* archive as AsyncIterable<Buffer>
  } finally {
    archive.destroy()
    await filled
  }
}

async function fill(archive: Pack, entries: AsyncIterable<TarEntry>, mtime: Date): Promise<void> {
  for await (const { name, type, size, mode, body } of entries) {
    const path = type === 'folder' ? `${name}/` : name
    if (!hasRoom(path)) throw new RefusedError(`${name}: the name is too long for a tar.`)
    let written = 0
    async function* counted() {
      for await (const chunk of body) {
        written += chunk.length
        yield chunk
      }
      if (written !== size)
        throw new RefusedError(`${name} has ${written} bytes, not ${size}: it changed while it was read.`)
    }
    await pipeline(
      counted,
      archive.entry({ name: path, type: type === 'folder' ? 'directory' : 'file', size, mode, mtime }),
    )
  }
  archive.finalize()
}

/** The entries of an archive. Throws when it is cut off, damaged, or holds anything but plain files and folders. */
export async function* readTar(stream: Readable): AsyncGenerator<TarEntry> {
  const archive = extract()
  let [total, end] = [0, 0]
  async function* counted() {
    for await (const chunk of stream) {
      total += chunk.length
      yield chunk
    }
  }
  // Its errors reach the reader of the archive.
  pipeline(counted, archive).catch(() => {})
  for await (const body of refusing(archive)) {
    const { name, size, mode } = body.header
    const type = TYPES[body.header.type]
    if (!type) throw new RefusedError(`The archive holds ${JSON.stringify(name)}, which is neither file nor folder.`)
    end = body.offset + BLOCK + Math.ceil(size / BLOCK) * BLOCK
    yield {
      name: name.replace(/\/$/, ''),
      type,
      size,
      mode: mode & 0o777,
      body: refusing(body as AsyncIterable<Buffer>),
    }
  }
  // Zeros are the end: without them entries may be missing.
  if (total < end + BLOCK) throw new RefusedError('The archive is cut off.')
}

/** Words the errors of the archive's own. */
async function* refusing<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pieces
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.message === 'Unexpected end of data') throw new RefusedError('The archive is cut off.')
    if (/^Invalid (tar )?header/.test(error.message)) throw new RefusedError('A header of the archive is damaged.')
    throw error
  }
}

/** A file that is in memory, readable by its owner alone. */
export function wholeFile(name: string, content: Buffer): TarEntry {
  async function* body() {
    yield content
  }
  return { name, type: 'file', size: content.length, mode: 0o600, body: body() }
}
