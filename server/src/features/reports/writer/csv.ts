import type { Writable } from 'node:stream'
import { csvOf as linesOf } from '../../../reporting/csv.ts'
import { clockOf } from '../../../reporting/zone.ts'
import type { Cell, Column } from './columns.ts'

/** Lines of a CSV: times in ISO 8601 with the offset of the zone. */
export function csvOf(out: Writable, columns: readonly Column[], zone: string) {
  const clock = clockOf(zone)
  const add = linesOf(
    out,
    columns.map(({ header }) => header),
  )
  const written = (cell: Cell) => (cell !== null && typeof cell === 'object' ? clock.iso(cell.at) : cell)
  return (rows: readonly Cell[][]) => add(rows.map((row) => row.map(written)))
}
