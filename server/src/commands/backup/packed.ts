import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, type Readable, type Transform } from 'node:stream'
import { constants, createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { RefusedError } from '../../platform/backup/refused.ts'

/** Compression by the file's name: gzip for .gz and .tgz, none for .tar, else zstd. */
export function packing(file: string): Transform {
  if (/\.(gz|tgz)$/.test(file)) return createGzip()
  if (file.endsWith('.tar')) return new PassThrough()
  return createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
}

/** The bytes of the archive in a file, unpacked as its first bytes say. Read errors and damage end the stream. */
export async function unpacked(file: string): Promise<Readable> {
  const start = await firstBytes(file)
  const source = createReadStream(file, { highWaterMark: 2 ** 20 })
  const unpacking = unpackingOf(start)
  if (!unpacking) return source
  // Not pipeline(): its error would be the stream's being destroyed, not what was wrong with it.
  source.on('error', (error) => unpacking.destroy(error))
  unpacking.on('close', () => source.destroy())
  return source.pipe(unpacking)
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new RefusedError(
      error.code === 'ENOENT' ? `There is no ${file}.` : `${file} cannot be read: ${error.message}`,
    )
  })
  try {
    if (!(await handle.stat()).isFile()) throw new RefusedError(`${file} is no file.`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function unpackingOf(start: Buffer): Transform | null {
  if (start.length === 4 && start.readUInt32LE() === 0xfd2fb528) return createZstdDecompress()
  return start[0] === 0x1f && start[1] === 0x8b ? createGunzip() : null
}
