import type { Writable } from 'node:stream'
import { byteOrderMark, csvLines } from '../platform/http/csv-lines.ts'
import { plainSpaces } from '../platform/i18n/plain-spaces.ts'
import { drained } from './drained.ts'
import { clockOf } from './zone.ts'

/** An instant in ms, told by the clocks of the report's zone, or in UTC. */
export interface Instant {
  at: number
  isUtc?: boolean
}
export type Cell = string | number | null | Instant

/** A column's title, its width in characters and the format of its numbers in a spreadsheet. */
export interface Head {
  header: string
  width: number
  numFmt?: string
}
/** A title as a file has it: programs look columns up by it, so that French spaces are plain in it. */
export const titleOf = ({ header }: Head): string => plainSpaces(header)

export interface Column<Row> extends Head {
  value(row: Row): Cell
}

/** A table of any length: its rows come some at a time. */
export interface Table {
  name: string
  heads: readonly Head[]
  rows: Iterable<Cell[][]> | AsyncIterable<Cell[][]>
}
/** A short sheet without titles, such as a summary. */
export interface Sheet {
  name: string
  widths: readonly number[]
  cells: Cell[][]
}

export const timeFormat = 'yyyy-mm-dd hh:mm:ss'

/** A table with a row for each of what comes, some at a time. */
export const tableOf = <Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>,
): Table => ({ name, heads: columns, rows: cellsOf(columns, rows) })

async function* cellsOf<Row>(
  columns: readonly Column<Row>[],
  rows: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>,
): AsyncGenerator<Cell[][]> {
  for await (const some of rows) yield some.map((row) => columns.map(({ value }) => value(row)))
}

/** Lines of a CSV under their titles: times in ISO 8601, with the offset of the zone or in UTC. */
export async function writeCsv(out: Writable, { heads, rows }: Table, zone: string): Promise<void> {
  const clock = clockOf(zone)
  const written = (cell: Cell) => {
    if (cell === null || typeof cell !== 'object') return cell
    return cell.isUtc ? new Date(cell.at) : clock.iso(cell.at)
  }
  await drained(out, `${byteOrderMark}${csvLines([heads.map(titleOf)])}`)
  for await (const some of rows) await drained(out, csvLines(some.map((row) => row.map(written))))
}
