import type { Writable } from 'node:stream'
import { writeXlsx as writeBook } from 'hucre/xlsx'
import { translate } from '../../../platform/i18n/i18n.ts'
import { drained } from '../../../reporting/drained.ts'
import { excursionsSheet, summarySheet, titled } from '../../../reporting/spreadsheet.ts'
import { wordsOf } from '../../../reporting/words.ts'
import type { GroupReportContent } from '../content.ts'
import { columnsOf, rowsOf } from './columns.ts'
import { factRows, totalRows } from './facts.ts'

/** Sheets of summary, devices and excursions; numbers are numbers, times are times. */
export async function writeXlsx(out: Writable, content: GroupReportContent): Promise<null> {
  const { locale } = content
  const words = wordsOf(locale, content.zone)
  const { printed, rows } = totalRows(words, content, locale)
  const deviceTitle = translate(locale, 'groupReports:table.device')
  const book = await writeBook({
    sheets: [
      summarySheet(words, factRows(words, content), printed, rows),
      devices(content),
      excursionsSheet(words, content.excursions, deviceTitle),
    ],
  })
  await drained(out, book)
  return null
}

function devices(content: GroupReportContent) {
  const columns = columnsOf(content)
  const heads = columns.map(({ header, width, format }) => ({ header, width, ...(format && { numFmt: format }) }))
  return titled(translate(content.locale, 'groupReports:document.devices'), heads, [...rowsOf(content, columns)])
}
