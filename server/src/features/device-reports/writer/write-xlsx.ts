import type { Writable } from 'node:stream'
import { writeXlsx as writeBook, writeXlsxStream } from 'hucre/xlsx'
import { translate } from '../../../platform/i18n/i18n.ts'
import { drained } from '../../../reporting/drained.ts'
import { type Cell, excursionsSheet, summarySheet, titled } from '../../../reporting/spreadsheet.ts'
import { isPrinted, statsRows } from '../../../reporting/stats-rows.ts'
import { type Words, wordsOf } from '../../../reporting/words.ts'
import { columnsOf } from './columns.ts'
import { factRows } from './fact-rows.ts'
import type { ReportSource } from './readings.ts'

/** A book of several sheets is made in memory; of more readings than these only their sheet is written, as a stream. */
const maxRowsInWorkbook = 20_000

/** Sheets of summary, excursions and readings; numbers are numbers, times are times. */
export async function writeXlsx(out: Writable, about: ReportSource): Promise<null> {
  const { content, digest, rows } = about
  const words = wordsOf(content.locale, content.zone)
  const { wall, offset, utc, rest } = columnsOf(content)
  const columns = [wall, offset, utc, ...rest]
  const name = translate(content.locale, 'deviceReports:table.sheet')
  const heads = columns.map(({ header, width, format }) => ({ header, width, ...(format ? { numFmt: format } : {}) }))
  async function* cells() {
    for await (const found of rows()) for (const row of found) yield columns.map(({ value }) => value(row))
  }
  if (digest.readings > maxRowsInWorkbook) {
    for await (const chunk of writeXlsxStream(cells(), { name, columns: heads, freezePane: { rows: 1 } }))
      await drained(out, chunk)
    return null
  }
  const readings: Cell[][] = []
  for await (const row of cells()) readings.push(row)
  const book = await writeBook({
    sheets: [summary(words, about), excursionsSheet(words, content.excursions), titled(name, heads, readings)],
  })
  await drained(out, book)
  return null
}

function summary(words: Words, { content, digest }: ReportSource) {
  const printed = (['temperature', 'humidity'] as const).filter((measure) => isPrinted(content, measure))
  const figures = statsRows(words).map(([name, tell]) => [
    name,
    ...printed.map((measure) => {
      const field = tell(content.stats[measure], measure === 'temperature' ? words.celsius : words.percent)
      return typeof field === 'string' ? field : field.text
    }),
  ])
  return summarySheet(words, factRows(words, content, digest), printed, figures)
}
