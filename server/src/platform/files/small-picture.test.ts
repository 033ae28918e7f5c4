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
