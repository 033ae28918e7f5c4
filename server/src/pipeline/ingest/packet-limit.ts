import type { Socket } from 'node:net'

/**
 * Cuts a connection that announces an MQTT packet longer than `maxBytes`, or a first one longer than `maxFirstBytes`, when
 * nobody has proved who they are: the broker would gather all of it in memory.
 * Follows the framing of MQTT 3.1.1 section 2.2: one byte, then the remaining length as a varint of at most four.
 */
export function limitPackets(socket: Socket, maxBytes: number, maxFirstBytes: number): void {
  const read = socket.read.bind(socket)
  let body = 0
  let shift = -1
  let length = 0
  let most = maxFirstBytes

  const measure = (chunk: Buffer): boolean => {
    for (let offset = 0; offset < chunk.length; ) {
      if (body > 0) {
        const skipped = Math.min(body, chunk.length - offset)
        body -= skipped
        offset += skipped
      } else if (shift < 0) {
        shift = 0
        length = 0
        offset++
      } else {
        const byte = chunk[offset++] ?? 0
        length += (byte & 127) * 2 ** shift
        shift += 7
        if (byte < 128 || shift > 21) {
          if (length > most) return false
          most = maxBytes
          body = length
          shift = -1
        }
      }
    }
    return true
  }

  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (!Buffer.isBuffer(chunk) || measure(chunk)) return chunk
    socket.destroy(new Error('MQTT packet too large'))
    return null
  }
}
