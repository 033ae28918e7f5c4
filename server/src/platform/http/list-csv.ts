import { byteOrderMark, csvLines } from '../paper/csv-lines.ts'
import type { FileBody } from './serve.ts'

/** More rows than any list of a company has. */
export const maxRows = 100_000

/** A list as a file: a line per row, numbers and times as machines read them; a text is never a formula. */
export const listCsv = (filename: string, columns: readonly string[], lines: unknown[][]): FileBody => ({
  filename,
  body: `${byteOrderMark}${csvLines([columns, ...lines])}`,
})
