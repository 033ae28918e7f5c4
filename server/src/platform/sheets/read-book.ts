import { readXlsx } from 'hucre/xlsx'
import { refuseBomb } from './refuse-bomb.ts'
import { isErrorText, type ReadSheet, refuse, type SheetCell, type SheetRow } from './sheet.ts'

type Book = Awaited<ReturnType<typeof readXlsx>>
type Sheet = Book['sheets'][number]

/** Books that count days from 1904 have numbers that are so much lower. */
const days1904 = 1_462
const shownMerges = 5

interface Limits {
  maxCells: number
  maxRows: number
  /** Cells that are one over several rows count for each of them. */
  fillsMerged: boolean
}

/** The rows of the first sheet of a workbook that is not hidden. Throws SheetRefused. */
export async function readBook(bytes: Buffer, { maxCells, maxRows, fillsMerged }: Limits) {
  refuseBomb(bytes)
  let sheets = 0
  const isFirst = ({ hidden, veryHidden }: { hidden?: boolean; veryHidden?: boolean }) =>
    !hidden && !veryHidden && ++sheets === 1
  const book = await readXlsx(bytes, { sheets: isFirst }).catch(() => {
    throw refuse('brokenBook')
  })
  const sheet = book.sheets[0]
  if (!sheet) throw refuse('noSheet')
  const sides = mergedBelow(sheet, fillsMerged)
  const rows = rowsOf(sheet, maxRows)
  const wide = rows.find(({ cells }) => cells.length > maxCells)
  if (wide) throw refuse('tooWide', { row: wide.row, limit: maxCells })
  refuseMerged(sides)
  return {
    ...{ rows, sheet: sheet.name, encoding: null, otherSheets: sheets - 1 },
    hiddenRows: rows.filter(({ row }) => sheet.rowDefs?.get(row - 1)?.hidden).length,
    serialShift: book.dateSystem === '1904' ? days1904 : 0,
  } satisfies ReadSheet
}

/** The rows that have something, one more than `maxRows` at the most: books end with thousands that have a look and no content. */
function rowsOf(sheet: Sheet, maxRows: number): SheetRow[] {
  const rows: SheetRow[] = []
  for (const [index, values] of sheet.rows.entries()) {
    const cells = values.map((value, column) => cellOf(value, sheet.cells?.get(`${index},${column}`)))
    while (cells.length > 0 && cells.at(-1) === null) cells.pop()
    if (cells.length > 0) rows.push({ row: index + 1, cells })
    if (rows.length > maxRows) break
  }
  return rows
}

function cellOf(value: Sheet['rows'][number][number], detail?: { type: string; formula?: string }): SheetCell {
  if (detail?.type === 'error') return { fault: 'errorCell', text: String(value) }
  // A formula that nobody has worked out: the file was written by a program.
  if (detail?.formula !== undefined && value === null) return { fault: 'noResult', text: `=${detail.formula}` }
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (isErrorText(text)) return { fault: 'errorCell', text }
  return text === '' ? null : text
}

type Merge = NonNullable<Sheet['merges']>[number]

const isEmpty = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

/**
 * The ranges of cells that are one over several rows or columns, from the headings on: nobody knows of which row their value is. Above the
 * headings they may be. Where they are to be filled, those of one column below the headings get their value in each row, and are none.
 */
function mergedBelow({ rows, merges = [] }: Sheet, fillsMerged: boolean): Merge[] {
  const heading = rows.findIndex((cells) => cells.some((value) => !isEmpty(value)))
  const isFilled = ({ startRow, startCol, endCol }: Merge) => fillsMerged && startCol === endCol && startRow > heading
  for (const { startRow, endRow, startCol } of merges.filter(isFilled)) {
    const value = rows[startRow]?.[startCol] ?? null
    for (const cells of rows.slice(startRow + 1, endRow + 1)) if (!cells.every(isEmpty)) cells[startCol] = value
  }
  return merges.filter((merge) => merge.endRow >= heading && !isFilled(merge))
}

function refuseMerged(within: readonly Merge[]): void {
  if (within.length === 0) return
  const name = (row: number, column: number) => `${columnName(column)}${row + 1}`
  const ranges = within
    .slice(0, shownMerges)
    .map(({ startRow, startCol, endRow, endCol }) => `${name(startRow, startCol)}:${name(endRow, endCol)}`)
  throw refuse('merged', { ranges: ranges.join(', ') })
}

/** Letters of a column, counted from 0. */
const columnName = (column: number): string =>
  (column >= 26 ? columnName(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))
