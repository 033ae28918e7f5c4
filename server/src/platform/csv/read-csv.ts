import { csvLimits } from '@isotherm/contract/csv-import.ts'
import type { Message } from '@isotherm/contract/errors.ts'
import { plain } from '@isotherm/contract/spreadsheet-text.ts'
import { InvalidInput } from '../errors/app-error.ts'
import { CsvBroken, CsvTooWide, csvRecords, delimited } from './csv-records.ts'
import { looksLikeFormula } from './formula.ts'

export interface RowProblem<C extends string = string> {
  column: C | null
  message: Message
}

/** A row as it stands in the file; empty cells are left out. */
export interface CsvLine<C extends string> {
  /** As a spreadsheet counts: the header is row 1. */
  row: number
  cells: Partial<Record<C, string>>
  problems: RowProblem<C>[]
}

/** The columns that a file may have; it is none of its kind without the one that is needed. */
export interface CsvColumns<C extends string> {
  columns: readonly C[]
  needed: C
}

const rule = (name: string, values: Message['values'] = {}): Message => ({ key: `fields.rule.csv.${name}`, values })
const fold = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
// Room for columns that a spreadsheet leaves empty; a file of more is none of ours.
const maxCells = 50
// Empty ones included.
const maxRecords = 20_000

/** The rows of a file. Throws VALIDATION about `csv` with every fault of the file as a whole. */
export function readCsv<C extends string>(csv: string, known: CsvColumns<C>): CsvLine<C>[] {
  const [header, ...body] = recordsOf(csv)
  const columns = columnsOf(header?.cells ?? [], known)
  if (body.length === 0) throw faulty([rule('empty')])
  if (body.length > csvLimits.rows) throw faulty([rule('tooManyRows', { limit: csvLimits.rows, rows: body.length })])
  return body.map(({ row, cells }) => lineOf(cells, row, columns))
}

interface FileRow {
  row: number
  cells: string[]
}

/** The header, and the records that are not empty. */
function recordsOf(csv: string): FileRow[] {
  const records: FileRow[] = []
  const { body, delimiter, linesBefore } = delimited(csv)
  let row = linesBefore
  try {
    for (const cells of csvRecords(body, delimiter, maxCells)) {
      row++
      if (row > maxRecords) throw faulty([rule('tooManyRows', { limit: csvLimits.rows, rows: row })])
      if (records.length === 0 || cells.some((cell) => cell !== '')) records.push({ row, cells })
    }
  } catch (error) {
    if (error instanceof CsvBroken) throw faulty([rule('broken', { line: error.line })])
    if (error instanceof CsvTooWide) throw faulty([rule('tooWide', { row: error.record, limit: maxCells })])
    throw error
  }
  return records
}

const faulty = (messages: Message[]) => new InvalidInput(messages.map((message) => ({ path: 'csv', message })))

function columnsOf<C extends string>(header: string[], { columns, needed }: CsvColumns<C>): (C | null)[] {
  const byName = new Map(columns.map((column) => [fold(column), column]))
  const known = header.map((name) => byName.get(fold(name)) ?? null)
  // Spreadsheets leave empty columns behind the last one.
  const unknown = header.filter((name, index) => name !== '' && known[index] === null)
  const twice = known.filter((column, index) => column !== null && known.indexOf(column) !== index)
  const faults = [
    ...unknown
      .slice(0, 20)
      .map((name) => rule('unknownColumn', { column: name.slice(0, 60), columns: columns.join(', ') })),
    ...twice.map((column) => rule('columnTwice', { column: String(column) })),
    ...(known.includes(needed) ? [] : [rule('columnMissing', { column: needed })]),
  ]
  if (faults.length > 0) throw faulty(faults)
  return known
}

function lineOf<C extends string>(record: string[], row: number, columns: (C | null)[]): CsvLine<C> {
  const line: CsvLine<C> = { row, cells: {}, problems: [] }
  let surplus: string | null = null
  for (const [index, raw] of record.entries()) {
    const cell = raw.replace(/^\u2212(?=\d)/, '-')
    if (cell === '') continue
    const column = columns[index]
    if (!column) surplus ??= cell
    else if (looksLikeFormula(cell)) line.problems.push({ column, message: rule('formula', { sign: cell.charAt(0) }) })
    // Escapes of our own files are removed.
    else line.cells[column] = plain(cell)
  }
  if (surplus !== null)
    line.problems.push({ column: null, message: rule('tooManyCells', { cell: surplus.slice(0, 60) }) })
  return line
}

/** The number in a cell, with a point or a comma; a cell with anything else as it is, for its schema to refuse. */
export const numberOf = (cell: string | undefined): unknown =>
  cell !== undefined && /^[+-]?\d+(?:[.,]\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : cell
