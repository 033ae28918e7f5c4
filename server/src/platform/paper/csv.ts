import type { Writable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { defused } from './defused.ts'
import { drained } from './drained.ts'
import type { Cell } from './spreadsheet.ts'

/** Lines of a CSV under their titles: `Date`s in ISO 8601 (UTC), numbers with a point, whatever the language. */
export function csvOf(out: Writable, titles: readonly string[]) {
  const lines = (rows: unknown[][]) => stringify(rows, { record_delimiter: 'windows' })
  const told = (cell: Cell) => {
    if (typeof cell === 'string') return defused(cell)
    return cell instanceof Date ? cell.toISOString() : cell
  }
  // A byte order mark: without it Excel reads UTF-8 as something else.
  out.write(`\ufeff${lines([[...titles]])}`)
  return (rows: readonly Cell[][]) => drained(out, lines(rows.map((row) => row.map(told))))
}
