import type { Duplex } from 'node:stream'

/** A longer frame is no frame of ours: the connection ends. */
const maxFrameBytes = 32 * 1_048_576
const headBytes = 4

/** Writes JSON values as frames: four bytes of length, then text. What is written in one turn of the event loop leaves together. */
export function frameWriter(stream: Duplex): (value: unknown) => void {
  let isCorked = false
  return (value) => {
    const text = Buffer.from(JSON.stringify(value))
    const head = Buffer.allocUnsafe(headBytes)
    head.writeUInt32BE(text.length)
    if (!isCorked) {
      isCorked = true
      stream.cork()
      setImmediate(() => {
        isCorked = false
        stream.uncork()
      })
    }
    stream.write(head)
    stream.write(text)
  }
}

/** Calls `take` with each frame of a stream; what is no frame destroys it. Before `mayBeLong` says so, a frame has at most 1,000 bytes. */
export function readFrames(stream: Duplex, take: (value: unknown) => void, mayBeLong: () => boolean): void {
  let chunks: Buffer[] = []
  let waiting = 0
  let wanted = headBytes
  let hasHead = false
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    waiting += chunk.length
    while (waiting >= wanted && !stream.destroyed) {
      const all = chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks)
      const [part, rest] = [all.subarray(0, wanted), all.subarray(wanted)]
      chunks = rest.length > 0 ? [rest] : []
      waiting = rest.length
      if (!hasHead) {
        wanted = part.readUInt32BE(0)
        hasHead = true
        if (wanted > (mayBeLong() ? maxFrameBytes : 1_000)) stream.destroy(new Error('the frame is too long'))
        continue
      }
      wanted = headBytes
      hasHead = false
      try {
        take(JSON.parse(part.toString()))
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    }
  })
}
