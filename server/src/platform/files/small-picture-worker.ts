// The thread that draws a picture anew: see small-picture.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { inflateSync } from 'node:zlib'
import { decode as decodeJpeg } from 'jpeg-js'
import { PNG } from 'pngjs'
import { jpegTurn, pictureSize, type Turn, turnOf } from './pictures.ts'
import { cutOut, inkOf, liesOnItsSide, onWhite, type Pixels, shrink, turned } from './pixels.ts'
import type { Drawn, DrawOrder } from './small-picture.ts'

/** Bytes of the unpacked lines of a PNG: one of the largest side with 8 bits per colour has no more. */
const maxLinesBytes = 18_000_000
const maxJpegMb = 128
const maxMegapixels = 4

/** Samples of a pixel by colour type (PNG specification, 11.2.2). */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Chunks of a PNG by name. */
function chunksOf(bytes: Buffer, name: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === name)
      found.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  return found
}

/** Throws where the picture has two heads, or more pixels packed than its head says. */
function readPng(bytes: Buffer): Pixels | null {
  const heads = chunksOf(bytes, 'IHDR')
  const size = pictureSize(bytes, 'png')
  const perPixel = samples[bytes[25] ?? 0]
  if (heads.length !== 1 || !size || !perPixel) throw new Error('it has no head, or two')
  const bits = perPixel * (bytes[24] ?? 0)
  // A line of each pass of an interlaced picture has a byte for its filter; there are at most two lines for each line of the picture.
  const most = Math.ceil((size.width * bits) / 8 + 9) * size.height + 16 * size.width
  if (most > maxLinesBytes) return null
  inflateSync(Buffer.concat(chunksOf(bytes, 'IDAT')), { maxOutputLength: most })
  return PNG.sync.read(bytes)
}

const readJpeg = (bytes: Buffer): Pixels =>
  decodeJpeg(bytes, {
    useTArray: true,
    formatAsRGBA: true,
    tolerantDecoding: false,
    maxResolutionInMP: maxMegapixels,
    maxMemoryUsageInMB: maxJpegMb,
  })

function turnOfPng(bytes: Buffer): Turn {
  const [exif] = chunksOf(bytes, 'eXIf')
  return exif ? turnOf(exif) : 1
}

function draw({ bytes, type, box }: DrawOrder): Drawn {
  const given = Buffer.from(bytes)
  const read = type === 'png' ? readPng(given) : readJpeg(given)
  if (!read) return { refused: 'PICTURE_TOO_LARGE' }
  const pixels = onWhite(read)
  const ink = inkOf(pixels)
  if (!ink) return { refused: 'PICTURE_BLANK' }
  const turn = type === 'png' ? turnOfPng(given) : jpegTurn(given)
  // The small picture is turned, which takes less memory: the box lies as the stored picture does.
  const boxAsStored = liesOnItsSide(turn) ? { width: box.height, height: box.width } : box
  const { width, height, data } = turned(shrink(cutOut(pixels, ink), boxAsStored), turn)
  const picture = new PNG({ width, height })
  picture.data = Buffer.from(data)
  return { bytes: new Uint8Array(PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 })) }
}

function drawn(): Drawn {
  try {
    return draw(workerData as DrawOrder)
  } catch (error) {
    // So does the reader of JPEG word that a picture takes too much memory.
    const isLarge = error instanceof Error && error.message.startsWith('maxMemoryUsageInMB')
    return { refused: isLarge ? 'PICTURE_TOO_LARGE' : 'PICTURE_BROKEN' }
  }
}

parentPort?.postMessage(drawn())
