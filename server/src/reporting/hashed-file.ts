import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file that is hashed as it is written. `end` resolves with its SHA-256 in hex once all of it is on disk; none stays empty. */
export function hashedFile(path: string) {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, next) {
      hash.update(chunk)
      bytes += chunk.length
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
      if (bytes === 0) throw new Error('nothing was written')
      return hash.digest('hex')
    },
  }
}
