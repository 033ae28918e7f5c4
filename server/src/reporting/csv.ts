import type { Writable } from 'node:stream'
import { byteOrderMark, csvLines } from '../platform/http/csv-lines.ts'
import { drained } from './drained.ts'
import type { Cell } from './spreadsheet.ts'

/** Lines of a CSV under their titles, alike whatever the language. */
export function csvOf(out: Writable, titles: readonly string[]) {
  out.write(`${byteOrderMark}${csvLines([titles])}`)
  return (rows: readonly Cell[][]) => drained(out, csvLines(rows))
}
