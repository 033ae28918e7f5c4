import type { Writable } from 'node:stream'
import { writeXlsxStream } from 'hucre/xlsx'
import { translate } from '../../../platform/i18n/i18n.ts'
import { columnsOf } from './columns.ts'
import { drained } from './drained.ts'
import type { About } from './readings.ts'

/** One sheet of readings (more, where Excel's rows do not suffice): numbers are numbers, times are times. */
export async function writeXlsx(out: Writable, { content, rows }: About): Promise<null> {
  const { wall, offset, utc, rest } = columnsOf(content)
  const columns = [wall, offset, utc, ...rest]
  async function* cells() {
    for await (const found of rows()) for (const row of found) yield columns.map(({ value }) => value(row))
  }
  const sheet = writeXlsxStream(cells(), {
    name: translate(content.locale, 'deviceReports:table.sheet'),
    columns: columns.map(({ header, width, format }) => ({ header, width, ...(format ? { numFmt: format } : {}) })),
    freezePane: { rows: 1 },
  })
  for await (const chunk of sheet) await drained(out, chunk)
  return null
}
