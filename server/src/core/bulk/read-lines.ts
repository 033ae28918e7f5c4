import { type Locale, localeNames } from '@isotherm/contract/common.ts'
import { foldName } from '../../platform/gazetteer/fold-name.ts'
import { type ReadSheet, SheetRefused, type SheetRow, sheetRule } from '../../platform/sheets/sheet.ts'
import type { BulkColumn, BulkLine, Headings, ReadBy, RowFault } from './bulk-rules.ts'
import { textOf } from './readers.ts'

/** Headings of a file that it does not know are told, up to so many. */
const shownUnknown = 20
const longest = 60

/** A heading without case, accents and signs: "Gross weight (kg) *" is grossweightkg. */
export const foldHeading = (heading: string): string => foldName(heading).replaceAll(' ', '')

/** The column of a marked workbook in which its faults were told: somebody mends the file and sends it again. */
export const faultsColumn = 'faults'
// Signs that the database takes in no text: a book names them by number, and some programs write them.
const unfit = /[\0\p{Cs}]/u
const ignored: BulkColumn = { name: faultsColumn, read: () => ({ value: null }), example: '' }

/** The column below each heading of a file, in any of the four languages; null: an empty heading. Throws SheetRefused with every fault, in one language. */
export function matchColumns(
  head: SheetRow,
  columns: readonly BulkColumn[],
  headings: Headings,
  locale: Locale,
): (BulkColumn | null)[] {
  const byName = new Map(
    [...columns, ignored].flatMap((column) =>
      [column.name, ...localeNames.flatMap((locale) => headings[locale][column.name] ?? [])].map((name) => [
        foldHeading(name),
        column,
      ]),
    ),
  )
  const texts = head.cells.map((cell) => (cell === null ? '' : textOf(cell)))
  const known = texts.map((text) => byName.get(foldHeading(text)) ?? null)
  const unknown = texts.filter((text, index) => text !== '' && known[index] === null)
  const twice = known.filter((column, index) => column !== null && known.indexOf(column) !== index)
  const missing = columns.filter((column) => column.isNeeded && !known.includes(column))
  const faults = [
    ...unknown.slice(0, shownUnknown).map((text) => sheetRule('unknownColumn', { column: text.slice(0, longest) })),
    ...twice.map((column) => sheetRule('columnTwice', { column: texts[known.indexOf(column)] ?? '' })),
    ...missing.map(({ name }) => sheetRule('columnMissing', { column: headings[locale][name] ?? name })),
  ]
  if (faults.length > 0) throw new SheetRefused(faults)
  return known
}

/** The rows below the headings, read cell by cell. Throws SheetRefused where the headings are wrong. */
export function readLines(
  sheet: ReadSheet,
  columns: readonly BulkColumn[],
  headings: Headings,
  by: ReadBy,
): BulkLine[] {
  const [head, ...body] = sheet.rows
  const known = matchColumns(head as SheetRow, columns, headings, by.locale)
  const lines = body.map((row) => readLine(row, known, by))
  return lines
}

function readLine({ row, cells }: SheetRow, columns: readonly (BulkColumn | null)[], by: ReadBy): BulkLine {
  const line: BulkLine = { row, values: {}, texts: {}, faults: [] }
  for (const [index, cell] of cells.entries()) {
    if (cell === null) continue
    const column = columns[index]
    if (column === ignored) continue
    if (!column) {
      if (!line.faults.some(({ column }) => column === null))
        line.faults.push({ column: null, message: sheetRule('strayCell', { cell: textOf(cell).slice(0, longest) }) })
      continue
    }
    const text = textOf(cell)
    line.texts[column.name] = text
    const read = unfit.test(text) ? { message: { key: 'fields.format.printable', values: {} } } : column.read(cell, by)
    if ('message' in read) line.faults.push({ column: column.name, message: read.message })
    else line.values[column.name] = read.value
  }
  return line
}

/** The first fault of each cell, which is the most telling one. */
export const oncePerColumn = (faults: readonly RowFault[]): RowFault[] =>
  faults.filter(({ column }, index) => faults.findIndex((other) => other.column === column) === index)
