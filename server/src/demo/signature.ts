import { createHash } from 'node:crypto'
import { encodePng } from '../platform/mail/png.ts'

// As the glass of the pages writes it.
const size = { width: 600, height: 220 }
const ink = [0x14, 0x19, 0x1f] as const
const penPx = 2

/** A signature as somebody might draw it: loops from left to right, the same ones whenever that name signs. */
export function drawSignature(name: string): Buffer {
  const chance = createHash('sha512').update(name).digest()
  const pixels = new Uint8Array(size.width * size.height * 4)
  const dot = (x: number, y: number) => {
    for (let row = Math.round(y) - penPx; row <= y + penPx; row++)
      for (let column = Math.round(x) - penPx; column <= x + penPx; column++)
        if (Math.hypot(column - x, row - y) <= penPx) pixels.set([...ink, 255], (row * size.width + column) * 4)
  }
  const letters = name.replaceAll(/\s/g, '').length
  const waves = Array.from({ length: letters }, (_, index) => {
    const [high = 0, back = 0] = chance.subarray((2 * index) % chance.length)
    return { high: 12 + high / 5, back: 4 + back / 14 }
  })
  const steps = 2_400
  for (let step = 0; step <= steps; step++) {
    const along = (step / steps) * (letters - 1)
    const { high, back } = waves[Math.floor(along)] ?? { high: 0, back: 0 }
    const turn = along * 2 * Math.PI
    dot(
      70 + (460 * step) / steps + back * Math.sin(turn),
      120 - (high / 2) * (1 - Math.cos(turn)) + 14 * Math.sin(along),
    )
  }
  return encodePng(size.width, size.height, pixels)
}
