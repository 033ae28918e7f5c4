import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file that is hashed as it is written. `end` resolves with its SHA-256 in hex once all of it is on disk. */
export function hashedFile(path: string) {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform(chunk: Buffer, _, next) {
      hash.update(chunk)
      next(null, chunk)
    },
  })
  const done = pipeline(stream, createWriteStream(path, { mode: 0o600, flush: true }))
  done.catch(() => {})
  return {
    stream,
    async end(): Promise<string> {
      if (!stream.writableEnded) stream.end()
      await done
      return hash.digest('hex')
    },
  }
}
