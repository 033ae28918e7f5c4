import type { Writable } from 'node:stream'
import { writeXlsx, writeXlsxStream } from 'hucre/xlsx'
import { drained } from './drained.ts'
import { type Cell, type Sheet, type Table, titleOf } from './tables.ts'
import { clockOf } from './zone.ts'

const maxNameLength = 31

/** Times as spreadsheets have them: `Date`s whose UTC fields are what the clocks of the zone showed. */
function shownIn(zone: string) {
  const clock = clockOf(zone)
  return (cell: Cell) => {
    if (cell === null || typeof cell !== 'object') return cell
    return new Date(cell.isUtc ? cell.at : clock.wallAt(cell.at))
  }
}

/** A workbook, which is made in memory: numbers are numbers, times are times. */
export async function writeBook(out: Writable, sheets: readonly (Sheet | Table)[], zone: string): Promise<void> {
  const shown = shownIn(zone)
  const made = []
  for (const sheet of sheets) {
    const name = sheet.name.slice(0, maxNameLength)
    if ('cells' in sheet) {
      const rows = sheet.cells.map((row) => row.map(shown))
      made.push({ name, columns: sheet.widths.map((width) => ({ width })), rows })
      continue
    }
    // The library writes no titles above rows that are given whole.
    const rows: ReturnType<typeof shown>[][] = [sheet.heads.map(titleOf)]
    for await (const some of sheet.rows) for (const row of some) rows.push(row.map(shown))
    made.push({ name, columns: sheet.heads.map(lookOf), rows, freezePane: { rows: 1 } })
  }
  await drained(out, await writeXlsx({ sheets: made }))
}

/** A workbook of one table as a stream, however many rows it has. */
export async function writeLongSheet(out: Writable, { name, heads, rows }: Table, zone: string): Promise<void> {
  const shown = shownIn(zone)
  async function* cells() {
    for await (const some of rows) for (const row of some) yield row.map(shown)
  }
  const columns = heads.map((head) => ({ header: titleOf(head), ...lookOf(head) }))
  const options = { name: name.slice(0, maxNameLength), columns, freezePane: { rows: 1 } }
  for await (const chunk of writeXlsxStream(cells(), options)) await drained(out, chunk)
}

const lookOf = ({ width, numFmt }: Table['heads'][number]) => ({ width, ...(numFmt && { numFmt }) })
