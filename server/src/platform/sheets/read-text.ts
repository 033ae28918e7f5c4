import { plain } from '@isotherm/contract/spreadsheet-text.ts'
import { CsvBroken, CsvTooWide, csvRecords, delimited } from '../csv/csv-records.ts'
import { looksLikeFormula } from '../csv/formula.ts'
import { isErrorText, type ReadSheet, refuse, type SheetCell, type SheetRow } from './sheet.ts'

/** A text in what spreadsheets write: UTF-8, UTF-16 with its mark ("Unicode text" of Excel), else the Western code page. */
export function decodeText(bytes: Buffer): { text: string; encoding: string } {
  const as = (encoding: string, fatal = false) => new TextDecoder(encoding, { fatal }).decode(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: as('utf-16le'), encoding: 'UTF-16' }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: as('utf-16be'), encoding: 'UTF-16' }
  try {
    return { text: as('utf-8', true), encoding: 'UTF-8' }
  } catch {
    return { text: as('windows-1252'), encoding: 'Windows-1252' }
  }
}

/** The rows of a CSV. Throws SheetRefused. */
export function readText(bytes: Buffer, { maxCells, maxRows }: { maxCells: number; maxRows: number }): ReadSheet {
  const { text, encoding } = decodeText(bytes)
  const { body, delimiter, linesBefore } = delimited(text)
  const rows: SheetRow[] = []
  let row = linesBefore
  try {
    for (const cells of csvRecords(body, delimiter, maxCells)) {
      row++
      if (cells.every((cell) => cell === '')) continue
      rows.push({ row, cells: cells.map(cellOf) })
      if (rows.length > maxRows) break
    }
  } catch (error) {
    if (error instanceof CsvBroken) throw refuse('broken', { line: error.line })
    if (error instanceof CsvTooWide) throw refuse('tooWide', { row: error.record, limit: maxCells })
    throw error
  }
  return { rows, encoding, sheet: null, hiddenRows: 0, otherSheets: 0, serialShift: 0 }
}

function cellOf(raw: string): SheetCell {
  const cell = raw.replace(/^\u2212(?=\d)/, '-')
  if (cell === '') return null
  if (isErrorText(cell)) return { fault: 'errorCell', text: cell }
  return looksLikeFormula(cell) ? { fault: 'formula', text: cell } : plain(cell)
}
