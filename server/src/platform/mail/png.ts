import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A PNG of pixels, four bytes each: red, green, blue and opacity. */
export function encodePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits per colour, with opacity; compressed, filtered and ordered in the only or plainest way.
  head.set([8, 6, 0, 0, 0], 8)
  const lines = Buffer.alloc(height * (width * 4 + 1))
  for (let y = 0; y < height; y++) {
    const line = pixels.subarray(y * width * 4, (y + 1) * width * 4)
    lines.set(line, y * (width * 4 + 1) + 1)
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
