import type { Size, Turn } from './pictures.ts'

/** Four bytes for each pixel: red, green, blue and opacity. */
export interface Pixels extends Size {
  data: Uint8Array
}

/** A part of a picture. */
interface Cut extends Size {
  left: number
  top: number
}

/** The same picture on white paper; changes the pixels themselves. */
export function onWhite(pixels: Pixels): Pixels {
  const { data } = pixels
  for (let at = 0; at < data.length; at += 4) {
    const opacity = data[at + 3] ?? 0
    if (opacity === 255) continue
    for (let colour = at; colour < at + 3; colour++)
      data[colour] = 255 + Math.round((((data[colour] ?? 0) - 255) * opacity) / 255)
    data[at + 3] = 255
  }
  return pixels
}

/** A colour from which on nobody sees it on white. */
const white = 248

/** The smallest part outside of which a picture is white; null where all of it is. */
export function inkOf({ width, height, data }: Pixels): Cut | null {
  let [left, right, top, bottom] = [width, -1, -1, -1]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      if ((data[at] ?? 0) >= white && (data[at + 1] ?? 0) >= white && (data[at + 2] ?? 0) >= white) continue
      if (x < left) left = x
      if (x > right) right = x
      if (top < 0) top = y
      bottom = y
    }
  return bottom < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

export function cutOut({ width, data }: Pixels, cut: Cut): Pixels {
  const out = new Uint8Array(cut.width * cut.height * 4)
  for (let y = 0; y < cut.height; y++) {
    const from = ((cut.top + y) * width + cut.left) * 4
    out.set(data.subarray(from, from + cut.width * 4), y * cut.width * 4)
  }
  return { width: cut.width, height: cut.height, data: out }
}

/** Makes a picture so small that it fits into a box, its sides in proportion: each pixel is the average of those it stands for. */
export function shrink(pixels: Pixels, box: Size): Pixels {
  const scale = Math.min(1, box.width / pixels.width, box.height / pixels.height)
  if (scale === 1) return pixels
  const width = Math.max(1, Math.round(pixels.width * scale))
  const height = Math.max(1, Math.round(pixels.height * scale))
  const across = sharesOf(pixels.width, width)
  const down = sharesOf(pixels.height, height)
  const out = new Uint8Array(width * height * 4)
  for (const [y, rows] of down.entries())
    for (const [x, columns] of across.entries()) {
      const sum = [0, 0, 0, 0]
      for (const [row, rowShare] of rows)
        for (const [column, share] of columns) {
          const at = (row * pixels.width + column) * 4
          for (let part = 0; part < 4; part++)
            sum[part] = (sum[part] ?? 0) + (pixels.data[at + part] ?? 0) * share * rowShare
        }
      out.set(sum.map(Math.round), (y * width + x) * 4)
    }
  return { width, height, data: out }
}

/** Width and height change places. */
export const liesOnItsSide = (turn: Turn): boolean => turn >= 5

/** The picture as the eye is to see it. */
export function turned(pixels: Pixels, turn: Turn): Pixels {
  if (turn === 1) return pixels
  const isOnSide = liesOnItsSide(turn)
  const fromRight = [2, 3, 7, 8].includes(turn)
  const fromBottom = [3, 4, 6, 7].includes(turn)
  const [width, height] = isOnSide ? [pixels.height, pixels.width] : [pixels.width, pixels.height]
  const data = new Uint8Array(pixels.data.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [across, down] = isOnSide ? [y, x] : [x, y]
      const column = fromRight ? pixels.width - 1 - across : across
      const row = fromBottom ? pixels.height - 1 - down : down
      const from = (row * pixels.width + column) * 4
      data.set(pixels.data.subarray(from, from + 4), (y * width + x) * 4)
    }
  return { width, height, data }
}

/** For each of the new pixels of a line: which old ones it stands for, and their shares, which sum up to 1. */
function sharesOf(before: number, after: number): [number, number][][] {
  const step = before / after
  return Array.from({ length: after }, (_, index) => {
    const [from, to] = [index * step, (index + 1) * step]
    const shares: [number, number][] = []
    for (let old = Math.floor(from); old < Math.min(before, Math.ceil(to)); old++) {
      const share = (Math.min(to, old + 1) - Math.max(from, old)) / step
      if (share > 0) shares.push([old, share])
    }
    return shares
  })
}
