import { fileKind } from './file-kind.ts'
import { readBook } from './read-book.ts'
import { readText } from './read-text.ts'
import { type ReadSheet, refuse } from './sheet.ts'

/** Room for columns that a spreadsheet leaves empty; a file of more is none of ours. */
const maxCells = 100

/** The rows of a CSV or of a workbook: the headings, and at most `maxRows` more. Throws SheetRefused. */
export async function readSheet(
  bytes: Buffer,
  maxRows: number,
  { fillsMerged = false }: { fillsMerged?: boolean } = {},
): Promise<ReadSheet> {
  const limits = { maxCells, maxRows: maxRows + 1, fillsMerged }
  const read = fileKind(bytes) === 'xlsx' ? await readBook(bytes, limits) : readText(bytes, limits)
  if (read.rows.length < 2) throw refuse('empty')
  if (read.rows.length > maxRows + 1) throw refuse('tooManyRows', { limit: maxRows })
  return read
}
