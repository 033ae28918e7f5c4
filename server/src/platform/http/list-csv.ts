import { stringify } from 'csv-stringify/sync'
import type { FileBody } from './serve.ts'

/** More rows than any list of a company has. */
export const mostRows = 100_000

/** A list as a file (RFC 4180): a line per row, numbers and times as machines read them; a text is never a formula. */
export const listCsv = (filename: string, columns: readonly string[], lines: unknown[][]): FileBody => ({
  filename,
  body: stringify(lines, {
    header: true,
    columns: [...columns],
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { number: String, boolean: (value) => (value ? 'yes' : 'no') },
  }),
})
