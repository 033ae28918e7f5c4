import { pictureSize } from '../platform/files/pictures.ts'
import type { Paper } from './paper.ts'

/** 40 mm by 14 mm, in points. */
const box = { width: 113.4, height: 39.7 }
/** The room between a logo and the text on its left. */
export const logoGap = 16

interface Placed {
  width: number
  height: number
}

/** A small picture is not blown up: at 100 dots per inch it looks as it does on a screen. */
const maxScale = 72 / 100

/** Prints the company's logo with its right upper corner here, its sides in proportion; null where the company has none. */
export function printLogo({ doc, logo }: Paper, right: number, top: number): Placed | null {
  const picture = logo && Buffer.from(logo)
  const size = picture && pictureSize(picture, 'png')
  if (!picture || !size) return null
  const scale = Math.min(box.width / size.width, box.height / size.height, maxScale)
  const placed = { width: size.width * scale, height: size.height * scale }
  doc.image(picture, right - placed.width, top, placed)
  return placed
}
