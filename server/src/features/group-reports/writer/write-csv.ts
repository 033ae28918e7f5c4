import type { Writable } from 'node:stream'
import { csvOf } from '../../../reporting/csv.ts'
import type { GroupReportContent } from '../content.ts'
import { columnsOf, rowsOf } from './columns.ts'

/** One line per device and measure; times in ISO 8601 (UTC). */
export async function writeCsv(out: Writable, content: GroupReportContent): Promise<null> {
  const columns = columnsOf(content)
  const add = csvOf(
    out,
    columns.map(({ header }) => header),
  )
  for (const row of rowsOf(content, columns)) await add([row])
  return null
}
