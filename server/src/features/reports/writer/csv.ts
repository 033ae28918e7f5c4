import type { Writable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { defused } from '../../../platform/paper/defused.ts'
import { drained } from '../../../platform/paper/drained.ts'
import { clockOf } from '../../../platform/paper/zone.ts'
import type { Cell, Column } from './columns.ts'

/** Lines of a CSV: times in ISO 8601 with the offset of the zone; numbers with a point, whatever the language. */
export function csvOf(out: Writable, columns: readonly Column[], zone: string) {
  const clock = clockOf(zone)
  const lines = (rows: unknown[][]) => stringify(rows, { record_delimiter: 'windows' })
  const told = (cell: Cell) => {
    if (typeof cell === 'string') return defused(cell)
    return cell !== null && typeof cell === 'object' ? clock.iso(cell.at) : cell
  }
  // A byte order mark: without it Excel reads UTF-8 as something else.
  out.write(`\ufeff${lines([columns.map(({ header }) => header)])}`)
  return (rows: readonly Cell[][]) => drained(out, lines(rows.map((row) => row.map(told))))
}
