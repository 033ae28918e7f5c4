import { type BulkColumn, bulkColumns, bulkMaxRows } from '@isotherm/contract/device-bulk.ts'
import type { Message } from '@isotherm/contract/errors.ts'
import { plain } from '@isotherm/contract/spreadsheet-text.ts'
import { parse } from 'csv-parse/sync'
import { InvalidInput } from '../../platform/http/app-error.ts'

export interface RowProblem {
  column: BulkColumn | null
  message: Message
}

/** A row as it stands in the file; empty cells are left out. */
export interface BulkLine {
  /** As a spreadsheet counts: the header is row 1. */
  row: number
  cells: Partial<Record<BulkColumn, string>>
  problems: RowProblem[]
}

const rule = (name: string, values: Message['values'] = {}): Message => ({ key: `fields.rule.csv.${name}`, values })
const fold = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
const columnsByName = new Map(bulkColumns.map((column) => [fold(column), column]))
const looksNumeric = /^[+-]?\d+(?:[.,]\d+)?$/

/** The rows of a file that sets up devices. Throws a 422 about `csv` with every fault of the file as a whole. */
export function readBulkCsv(csv: string): BulkLine[] {
  const [header = [], ...body] = parseRecords(csv)
  const columns = columnsOf(header)
  const lines = body.flatMap((record, index) => {
    if (record.every((cell) => cell === '')) return []
    return [lineOf(record, index + 2, columns)]
  })
  if (lines.length === 0) throw faulty([rule('empty')])
  if (lines.length > bulkMaxRows) throw faulty([rule('tooManyRows', { limit: bulkMaxRows, rows: lines.length })])
  return lines
}

const faulty = (messages: Message[]) => new InvalidInput(messages.map((message) => ({ path: 'csv', message })))

/** Excel writes semicolons where the comma is the decimal sign. */
function delimiterOf(csv: string): ',' | ';' {
  const [header = ''] = csv.split(/\r?\n|\r/, 1)
  return header.split(';').length > header.split(',').length ? ';' : ','
}

function parseRecords(csv: string): string[][] {
  try {
    return parse(csv, {
      bom: true,
      trim: true,
      delimiter: delimiterOf(csv),
      relax_column_count: true,
      skip_empty_lines: false,
    })
  } catch (error) {
    throw faulty([rule('broken', { line: Number((error as { lines?: number }).lines ?? 1) })])
  }
}

function columnsOf(header: string[]): (BulkColumn | null)[] {
  const known = header.map((name) => columnsByName.get(fold(name)) ?? null)
  // Spreadsheets leave empty columns behind the last one.
  const unknown = header.filter((name, place) => name !== '' && known[place] === null)
  const twice = known.filter((column, place) => column !== null && known.indexOf(column) !== place)
  const faults = [
    ...unknown
      .slice(0, 20)
      .map((name) => rule('unknownColumn', { column: name.slice(0, 60), columns: bulkColumns.join(', ') })),
    ...twice.map((column) => rule('columnTwice', { column: String(column) })),
    ...(known.includes('imei') ? [] : [rule('noImei')]),
  ]
  if (faults.length > 0) throw faulty(faults)
  return known
}

function lineOf(record: string[], row: number, columns: (BulkColumn | null)[]): BulkLine {
  const line: BulkLine = { row, cells: {}, problems: [] }
  for (const [place, raw] of record.entries()) {
    const cell = raw.replace(/^\u2212(?=\d)/, '-')
    if (cell === '') continue
    const column = columns[place]
    if (!column) line.problems.push({ column: null, message: rule('tooManyCells', { cell: cell.slice(0, 60) }) })
    else if (/^[=+\-@\t\r]/.test(cell) && !looksNumeric.test(cell))
      line.problems.push({ column, message: rule('formula', { sign: cell.charAt(0) }) })
    // What our own files escape is read as what it was.
    else line.cells[column] = plain(cell)
  }
  return line
}
