import qrcode from 'qrcode-generator'
import { type Doc, ink } from './paper.ts'

/** A square of `side` points that leads to the address by camera and by click. */
export function printQr(doc: Doc, text: string, left: number, top: number, side: number) {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const size = side / count
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) doc.rect(left + column * size, top + row * size, size + 0.05, size + 0.05)
  doc.fill(ink)
  doc.link(left, top, side, side, text)
}
