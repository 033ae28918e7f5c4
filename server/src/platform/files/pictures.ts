const isAscii = (bytes: Buffer, at: number, text: string) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text))

/** Chunks from IHDR to IEND with pixels between, and nothing after (PNG specification, 5). */
export function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')) || !isAscii(bytes, 12, 'IHDR')) return false
  let hasPixels = false
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (isAscii(bytes, at + 4, 'IDAT')) hasPixels = true
    if (isAscii(bytes, at + 4, 'IEND')) return hasPixels && at + 12 === bytes.length
  }
  return false
}

/** The type of a picture that `pictureSize` knows. */
export type PictureType = 'png' | 'jpg'

export interface Size {
  width: number
  height: number
}

/** The size of a picture in pixels, as its head says; nothing is unpacked. Null where it says none. */
export function pictureSize(bytes: Buffer, type: PictureType): Size | null {
  const size = type === 'png' ? pngSize(bytes) : jpegSize(bytes)
  return size && size.width > 0 && size.height > 0 ? size : null
}

const pngSize = (bytes: Buffer): Size => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) })

function jpegSize(bytes: Buffer): Size | null {
  for (const { marker, at } of segmentsOf(bytes))
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  return null
}

/** The segments of a JPEG up to its first scan, which is the last one told. */
function* segmentsOf(bytes: Buffer): Generator<{ marker: number; at: number }> {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    // Any number of 0xff may stand before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    yield { marker, at }
    if (marker === startOfScan) return
    at += 2 + bytes.readUInt16BE(at + 2)
  }
}

const startOfScan = 0xda
const appData1 = 0xe1
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Segments with a frame among them, up to a scan that ends (ITU T.81, B.1). Cameras write more pictures behind it. */
export function isJpeg(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return false
  let hasFrame = false
  for (const { marker, at } of segmentsOf(bytes)) {
    if (marker === startOfScan) return hasFrame && bytes.includes(Buffer.from('ffd9', 'hex'), at)
    if (isFrame(marker)) hasFrame = true
  }
  return false
}

/**
 * How a picture is to be turned for the eye, as a camera notes it: 1 (as it is stored) to 8 (Exif 2.32, 4.6.4 A). 1 where the note is missing or
 * cannot be read: a logo with a broken note is still a logo.
 */
export type Turn = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const exifName = 'Exif\0\0'
const orientationTag = 0x0112
const shortType = 3

/** The turn of a JPEG, by its first Exif segment. */
export function jpegTurn(bytes: Buffer): Turn {
  for (const { marker, at } of segmentsOf(bytes))
    if (marker === appData1 && isAscii(bytes, at + 4, exifName))
      return turnOf(bytes.subarray(at + 4 + exifName.length, at + 2 + bytes.readUInt16BE(at + 2)))
  return 1
}

/** The turn that an Exif note asks for: the head of a TIFF file with one list of fields (TIFF 6.0, 2). */
export function turnOf(exif: Buffer): Turn {
  const isLittle = isAscii(exif, 0, 'II*\0')
  if (exif.length < 8 || !(isLittle || isAscii(exif, 0, 'MM\0*'))) return 1
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const list = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  if (list + 2 > exif.length) return 1
  const end = Math.min(exif.length - 12, list + 2 + 12 * (short(list) - 1))
  for (let at = list + 2; at <= end; at += 12)
    if (short(at) === orientationTag && short(at + 2) === shortType) return asTurn(short(at + 8))
  return 1
}

const asTurn = (value: number): Turn => (value >= 1 && value <= 8 ? (value as Turn) : 1)

/** A RIFF file of the length it says (RFC 9649, 2.4); an odd one may be padded. */
export const isWebp = (bytes: Buffer): boolean =>
  bytes.length >= 16 &&
  isAscii(bytes, 0, 'RIFF') &&
  isAscii(bytes, 8, 'WEBPVP8') &&
  [0, 1].includes(bytes.length - 8 - bytes.readUInt32LE(4))
