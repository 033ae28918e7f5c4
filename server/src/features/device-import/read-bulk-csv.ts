import { type BulkColumn, bulkColumns, bulkMaxRows } from '@isotherm/contract/device-bulk.ts'
import type { Message } from '@isotherm/contract/errors.ts'
import { plain } from '@isotherm/contract/spreadsheet-text.ts'
import { InvalidInput } from '../../platform/errors/app-error.ts'
import { CsvBroken, CsvTooWide, csvRecords } from './csv-records.ts'

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

// Room for columns that a spreadsheet leaves empty; a file of more is none that sets up devices.
const maxCells = 50
// Empty ones included.
const maxRecords = 20_000

/** The rows of a file that sets up devices. Throws VALIDATION about `csv` with every fault of the file as a whole. */
export function readBulkCsv(csv: string): BulkLine[] {
  const [header, ...body] = recordsOf(csv)
  const columns = columnsOf(header?.cells ?? [])
  if (body.length === 0) throw faulty([rule('empty')])
  if (body.length > bulkMaxRows) throw faulty([rule('tooManyRows', { limit: bulkMaxRows, rows: body.length })])
  return body.map(({ row, cells }) => lineOf(cells, row, columns))
}

interface FileRow {
  row: number
  cells: string[]
}

/** The header, and the records that are not empty. */
function recordsOf(csv: string): FileRow[] {
  const records: FileRow[] = []
  let row = 0
  try {
    for (const cells of csvRecords(csv, delimiterOf(csv), maxCells)) {
      row++
      if (row > maxRecords) throw faulty([rule('tooManyRows', { limit: bulkMaxRows, rows: row })])
      if (row === 1 || cells.some((cell) => cell !== '')) records.push({ row, cells })
    }
  } catch (error) {
    if (error instanceof CsvBroken) throw faulty([rule('broken', { line: error.line })])
    if (error instanceof CsvTooWide) throw faulty([rule('tooWide', { row: error.record, limit: maxCells })])
    throw error
  }
  return records
}

const faulty = (messages: Message[]) => new InvalidInput(messages.map((message) => ({ path: 'csv', message })))

/** Excel writes semicolons where the comma is the decimal sign. */
function delimiterOf(csv: string): ',' | ';' {
  const [header = ''] = csv.split(/\r?\n|\r/, 1)
  return header.split(';').length > header.split(',').length ? ';' : ','
}

function columnsOf(header: string[]): (BulkColumn | null)[] {
  const known = header.map((name) => columnsByName.get(fold(name)) ?? null)
  // Spreadsheets leave empty columns behind the last one.
  const unknown = header.filter((name, index) => name !== '' && known[index] === null)
  const twice = known.filter((column, index) => column !== null && known.indexOf(column) !== index)
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
  let surplus: string | null = null
  for (const [index, raw] of record.entries()) {
    const cell = raw.replace(/^\u2212(?=\d)/, '-')
    if (cell === '') continue
    const column = columns[index]
    if (!column) surplus ??= cell
    else if (/^[=+\-@\t\r]/.test(cell) && !looksNumeric.test(cell))
      line.problems.push({ column, message: rule('formula', { sign: cell.charAt(0) }) })
    // Escapes of our own files are removed.
    else line.cells[column] = plain(cell)
  }
  if (surplus !== null)
    line.problems.push({ column: null, message: rule('tooManyCells', { cell: surplus.slice(0, 60) }) })
  return line
}
