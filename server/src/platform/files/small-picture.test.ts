import { crc32, deflateSync } from 'node:zlib'
import { encode as encodeJpeg } from 'jpeg-js'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { type PictureType, pictureSize } from './pictures.ts'
import { drawSmall } from './small-picture.ts'

const box = { width: 472, height: 165 }
type Colour = [number, number, number, number]
const clear: Colour = [0, 0, 0, 0]

/** A picture of one colour with a mark of another one in its middle half. */
function marked(width: number, height: number, ground: Colour, mark: Colour): PNG {
  const png = new PNG({ width, height })
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isMark = x >= width / 4 && x < (3 * width) / 4 && y >= height / 4 && y < (3 * height) / 4
      png.data.set(isMark ? mark : ground, (y * width + x) * 4)
    }
  return png
}

const pixel = ({ data, width }: PNG, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
]
const draw = async (bytes: Buffer, type: PictureType) => PNG.sync.read(await drawSmall(bytes, type, box))

/** A PNG with these bytes as its head and its pixels. */
function png(
  head: { width: number; height: number; depth?: number; interlace?: number },
  lines: Buffer,
  more = '',
): Buffer {
  const bytes = PNG.sync.write(new PNG({ width: 1, height: 1 }))
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const ihdr = Buffer.alloc(13)
  ihdr.writeUInt32BE(head.width)
  ihdr.writeUInt32BE(head.height, 4)
  ihdr.set([head.depth ?? 8, 6, 0, 0, head.interlace ?? 0], 8)
  const extra = more ? [chunk(more, ihdr)] : []
  const parts = [chunk('IHDR', ihdr), ...extra, chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([bytes.subarray(0, 8), ...parts])
}

describe('a picture that is drawn anew', () => {
  test('loses its clear margin, becomes small in proportion, and lies on white', async () => {
    const small = await draw(PNG.sync.write(marked(2_000, 1_000, clear, [200, 0, 0, 128])), 'png')
    expect([small.width, small.height]).toEqual([330, 165])
    expect(pixel(small, 100, 80)).toEqual([227, 127, 127, 255])
  })

  test('keeps its pixels where it fits already', async () => {
    const small = await draw(PNG.sync.write(marked(40, 20, [255, 255, 255, 255], [0, 90, 0, 255])), 'png')
    expect([small.width, small.height]).toEqual([20, 10])
    expect(pixel(small, 19, 9)).toEqual([0, 90, 0, 255])
  })

  test('is PNG where it was JPEG, and tells nothing that the file told beside its pixels', async () => {
    const { data, width, height } = marked(600, 600, [255, 255, 255, 255], [0, 0, 160, 255])
    const jpeg = encodeJpeg({ data, width, height }, 90).data
    const comment = Buffer.concat([Buffer.from('fffe0010', 'hex'), Buffer.from('<script>alert')])
    const told = Buffer.concat([jpeg.subarray(0, 2), comment, Buffer.from('!'), jpeg.subarray(2)])
    const bytes = await drawSmall(told, 'jpg', box)
    expect(bytes.includes('script')).toBe(false)
    const small = PNG.sync.read(bytes)
    expect([small.width, small.height].map((side) => Math.abs(side - 165) <= 2)).toEqual([true, true])
    expect(pixel(small, 80, 80)[2]).toBeGreaterThan(140)
  })

  test('is one picture where many were there to move', async () => {
    const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(8 * 4, Buffer.from('102030ff', 'hex'))])
    const moving = png({ width: 8, height: 2 }, Buffer.concat([line, line]), 'acTL')
    expect(moving.includes('acTL')).toBe(true)
    const bytes = await drawSmall(moving, 'png', box)
    expect(bytes.includes('acTL')).toBe(false)
    expect(pixel(PNG.sync.read(bytes), 7, 1)).toEqual([16, 32, 48, 255])
  })

  test('reads grey, palette and 16 bits, and one of the largest side', async () => {
    const grey = PNG.sync.write(marked(64, 64, [255, 255, 255, 255], [9, 9, 9, 255]), { colorType: 0 })
    expect(pixel(await draw(grey, 'png'), 3, 3)).toEqual([9, 9, 9, 255])
    const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(8 * 8, Buffer.from('110022003300ffff', 'hex'))])
    const deep = png({ width: 8, height: 2, depth: 16 }, Buffer.concat([line, line]))
    expect(pixel(await draw(deep, 'png'), 1, 1)).toEqual([17, 34, 51, 255])
    const large = await draw(PNG.sync.write(marked(2_000, 2_000, clear, [0, 0, 0, 255])), 'png')
    expect([large.width, large.height]).toEqual([165, 165])
  }, 60_000)
})

describe('a photo that a camera stored turned', () => {
  const colours: Record<string, number[]> = { r: [220, 0, 0], g: [0, 170, 0], b: [0, 0, 220], k: [20, 20, 20] }
  const [width, height] = [160, 80]

  /** A JPEG of four coloured quarters, in reading order red, green, blue and black, with an Exif note of this body. */
  function photo(exif: Buffer): Buffer {
    const data = Buffer.alloc(width * height * 4, 255)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const quarter = 'rgbk'[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? ''
        data.set(colours[quarter] ?? [], (y * width + x) * 4)
      }
    const jpeg = encodeJpeg({ data, width, height }, 95).data
    const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])
    const head = Buffer.from([0xff, 0xe1, 0, 0])
    head.writeUInt16BE(body.length + 2, 2)
    return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
  }

  /** An Exif note with the width of a picture and its orientation. */
  function note(orientation: number, isLittle: boolean): Buffer {
    const hex = isLittle
      ? ['49492a0008000000', '0200', '000103000100000060010000', '12010300010000000f000000', '00000000']
      : ['4d4d002a00000008', '0002', '010000030000000101600000', '0112000300000001000f0000', '00000000']
    const bytes = Buffer.from(hex.join(''), 'hex')
    bytes[isLittle ? 30 : 31] = orientation
    return bytes
  }

  /** The colours of the four quarters of a picture, in reading order. */
  const quarters = (picture: PNG) =>
    [1, 3]
      .flatMap((y) => [1, 3].map((x) => pixel(picture, (picture.width * x) >> 2, (picture.height * y) >> 2)))
      .map((seen) =>
        Object.keys(colours).find((name) => colours[name]?.every((c, i) => Math.abs(c - (seen[i] ?? 0)) < 30)),
      )
      .join('')

  const shown = ['rgbk', 'grkb', 'kbgr', 'bkrg', 'rbgk', 'brkg', 'kgbr', 'gkrb']
  test.each(shown.map((expected, i) => [i + 1, expected]))(
    'stands upright by orientation %i',
    async (orientation, expected) => {
      for (const isLittle of [true, false]) {
        const small = await draw(photo(note(Number(orientation), isLittle)), 'jpg')
        expect(quarters(small)).toBe(expected)
        const isOnSide = Number(orientation) >= 5
        expect([small.width, small.height]).toEqual(isOnSide ? [80, 160] : [160, 80])
      }
    },
  )

  test('fits into the box after it is turned', async () => {
    const narrow = { width: 40, height: 165 }
    const small = PNG.sync.read(await drawSmall(photo(note(6, true)), 'jpg', narrow))
    expect([small.width, small.height, quarters(small)]).toEqual([40, 80, 'brkg'])
  })

  test('stays as it is stored where its note is broken, cut off or says nothing that is known', async () => {
    const far = note(6, true)
    far.writeUInt32LE(0xfffffff0, 4)
    const endless = note(1, true)
    endless.writeUInt16LE(0xffff, 8)
    const broken = [
      far,
      endless,
      note(6, true).subarray(0, 25),
      note(0, true),
      note(9, false),
      Buffer.alloc(0),
      Buffer.from('MM'),
    ]
    for (const exif of broken) expect(quarters(await draw(photo(exif), 'jpg'))).toBe('rgbk')
  })

  test('is turned where it is a PNG with such a note, too', async () => {
    const upright = PNG.sync.write(marked(40, 20, [200, 0, 0, 255], [0, 90, 0, 255]))
    const frame = Buffer.alloc(8)
    const body = Buffer.concat([Buffer.from('eXIf'), note(8, false)])
    frame.writeUInt32BE(body.length - 4)
    frame.writeUInt32BE(crc32(body), 4)
    const told = Buffer.concat([
      upright.subarray(0, 33),
      frame.subarray(0, 4),
      body,
      frame.subarray(4),
      upright.subarray(33),
    ])
    const small = await draw(told, 'png')
    expect([small.width, small.height]).toEqual([20, 40])
  })
})

describe('a picture that is refused', () => {
  const refusal = async (bytes: Buffer, type: PictureType) =>
    drawSmall(bytes, type, box).then(
      () => null,
      ({ code }: { code: string }) => code,
    )

  test('all of it is white, or clear', async () => {
    expect(await refusal(PNG.sync.write(marked(50, 50, clear, clear)), 'png')).toBe('PICTURE_BLANK')
    expect(await refusal(PNG.sync.write(marked(50, 50, clear, [255, 255, 255, 255])), 'png')).toBe('PICTURE_BLANK')
  })

  test('it unpacks to more than its head says', async () => {
    const bomb = Buffer.alloc(200_000_000)
    expect(await refusal(png({ width: 10, height: 10 }, bomb), 'png')).toBe('PICTURE_BROKEN')
    expect(await refusal(png({ width: 10, height: 10, interlace: 1 }, bomb), 'png')).toBe('PICTURE_BROKEN')
  })

  test('it has two heads, pixels that are not there, or lines that are too deep', async () => {
    expect(await refusal(png({ width: 1, height: 1 }, Buffer.alloc(5), 'IHDR'), 'png')).toBe('PICTURE_BROKEN')
    expect(await refusal(png({ width: 100, height: 100 }, Buffer.alloc(50)), 'png')).toBe('PICTURE_BROKEN')
    expect(await refusal(png({ width: 2_000, height: 2_000, depth: 16 }, Buffer.alloc(50)), 'png')).toBe(
      'PICTURE_TOO_LARGE',
    )
    const jpeg = encodeJpeg(marked(200, 200, clear, [0, 0, 0, 255]), 90).data
    jpeg.fill(0xff, 400, 700)
    expect(await refusal(jpeg, 'jpg')).toBe('PICTURE_BROKEN')
  })
})

test('the size of a picture stands in its head', () => {
  const jpeg = encodeJpeg(marked(320, 200, clear, [0, 0, 0, 255]), 90).data
  expect(pictureSize(jpeg, 'jpg')).toEqual({ width: 320, height: 200 })
  expect(pictureSize(png({ width: 30_000, height: 20_000 }, Buffer.alloc(1)), 'png')).toEqual({
    width: 30_000,
    height: 20_000,
  })
  expect(pictureSize(png({ width: 0, height: 20 }, Buffer.alloc(1)), 'png')).toBeNull()
})
