import qrcode from 'qrcode-generator'
import { type Doc, ink } from './paper.ts'

function codeOf(text: string) {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  return code
}

/** The code of a text for a screen: a text of 0 and 1 for each row, 1 is dark. */
export function qrRows(text: string): string[] {
  const code = codeOf(text)
  const modules = Array.from({ length: code.getModuleCount() }, (_, index) => index)
  return modules.map((row) => modules.map((column) => (code.isDark(row, column) ? '1' : '0')).join(''))
}

/** A square of `side` points that leads to the address by camera and by click. */
export function printQr(doc: Doc, text: string, left: number, top: number, side: number) {
  const code = codeOf(text)
  const count = code.getModuleCount()
  const size = side / count
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) doc.rect(left + column * size, top + row * size, size + 0.05, size + 0.05)
  doc.fill(ink)
  doc.link(left, top, side, side, text)
}
