import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { drawTrend, type TrendPoint } from './trend-picture.ts'

const minute = 60_000

/** The pixels of a picture of ours: size, and how many are more red than blue, and more blue than red, by half. */
function look(png: Buffer) {
  const size = { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
  const length = png.readUInt32BE(33)
  const lines = inflateSync(png.subarray(41, 41 + length))
  const colours: [column: number, row: number, colour: 'red' | 'blue'][] = []
  for (let row = 0; row < size.height; row++)
    for (let column = 0; column < size.width; column++) {
      const at = row * (size.width * 4 + 1) + 1 + column * 4
      const [red = 0, , blue = 0, opacity = 0] = lines.subarray(at, at + 4)
      if (opacity > 128) colours.push([column, row, red > blue ? 'red' : 'blue'])
    }
  return { ...size, colours }
}
const line = (...values: number[]): TrendPoint[] => values.map((value, index) => ({ at: index * 5 * minute, value }))
const columnsOf = (colours: ReturnType<typeof look>['colours'], wanted: string) =>
  new Set(colours.filter(([, , colour]) => colour === wanted).map(([column]) => column))

test('the line is red where it is beyond the limit, and blue elsewhere', () => {
  const { width, height, colours } = look(drawTrend({ points: line(4, 4, 9, 9), limit: 8, side: 'above' }))
  expect([width, height]).toEqual([1040, 240])
  const blue = columnsOf(colours, 'blue')
  expect(Math.max(...blue)).toBeLessThan(width * 0.7)
  const above = colours.filter(([, row, colour]) => colour === 'red' && row < 20)
  expect(Math.min(...above.map(([column]) => column))).toBeGreaterThan(width * 0.5)
})
test('below a lower limit it is red, too', () => {
  const { height, colours } = look(drawTrend({ points: line(4, 1, 1), limit: 2, side: 'below' }))
  expect(colours.some(([, row, colour]) => colour === 'red' && row > height - 20)).toBe(true)
  expect(colours.some(([, row, colour]) => colour === 'red' && row < 20)).toBe(false)
})
test('a silence stays open', () => {
  const points = [...line(4, 4, 4), { at: 100 * minute, value: 4 }, { at: 105 * minute, value: 4 }]
  const { width, colours } = look(drawTrend({ points, limit: null, side: 'above' }))
  const columns = columnsOf(colours, 'blue')
  expect(columns.has(Math.round(width / 2))).toBe(false)
  expect(columns.has(20)).toBe(true)
})
test('values that are all alike, or one alone, can be drawn', () => {
  for (const points of [line(4), line(4, 4)])
    expect(look(drawTrend({ points, limit: 4, side: 'above' })).colours).not.toEqual([])
})
