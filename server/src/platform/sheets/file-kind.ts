import { isXlsx } from '../files/spreadsheets.ts'
import { refuse } from './sheet.ts'

const starts = (bytes: Buffer, magic: number[]) => magic.every((byte, index) => bytes[index] === byte)
const isUtf16 = (bytes: Buffer) => starts(bytes, [0xff, 0xfe]) || starts(bytes, [0xfe, 0xff])
// A text that a spreadsheet would open as something else.
const pretended = /^\s*(?:<|%PDF|\{)/

/** The kind of a file, by its bytes and whatever it is called. Throws SheetRefused. */
export function fileKind(bytes: Buffer): 'xlsx' | 'csv' {
  if (starts(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw refuse('oldBook')
  if (starts(bytes, [0x50, 0x4b])) {
    if (isXlsx(bytes)) return 'xlsx'
    throw refuse('noBook')
  }
  if (isUtf16(bytes)) return 'csv'
  const head = bytes.subarray(0, 4_096)
  if (head.includes(0) || pretended.test(head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')))
    throw refuse('noText')
  return 'csv'
}
