import { inflateSync } from 'node:zlib'
import { isPng } from '../../platform/files/pictures.ts'

/** The most pixels of a signature on either side. */
const maxSide = 2_000
/** Bytes of a pixel by colour type (PNG specification, 11.2.2), of those that a canvas writes. */
const pixelBytes: Record<number, number> = { 2: 3, 6: 4 }

function pixelsOf(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      pieces.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  return Buffer.concat(pieces)
}

/**
 * Whether bytes are a PNG as a canvas writes it, of the size of a glass, whose pixels are all there: who draws it into the receipt neither
 * meets a bomb nor fails in the middle.
 */
export function isSignature(bytes: Buffer): boolean {
  if (!isPng(bytes) || bytes.readUInt32BE(8) !== 13) return false
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth, colour, compression, filter, interlace] = bytes.subarray(24, 29)
  const perPixel = pixelBytes[colour ?? 0]
  if (depth !== 8 || !perPixel || compression || filter || interlace) return false
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) return false
  const row = 1 + width * perPixel
  try {
    const pixels = inflateSync(pixelsOf(bytes), { maxOutputLength: row * height })
    if (pixels.length !== row * height) return false
    for (let at = 0; at < pixels.length; at += row) if ((pixels[at] ?? 0) > 4) return false
    return true
  } catch {
    return false
  }
}
