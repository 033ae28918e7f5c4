import type { Writable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { drained } from '../../../platform/paper/drained.ts'
import type { GroupReportContent } from '../content.ts'
import { columnsOf, defused, rowsOf } from './columns.ts'

/** One line per device and measure; times in ISO 8601 (UTC), numbers with a point, whatever the language. */
export async function writeCsv(out: Writable, content: GroupReportContent): Promise<null> {
  const columns = columnsOf(content)
  const lines = (table: unknown[][]) => stringify(table, { record_delimiter: 'windows' })
  // A byte order mark: without it Excel reads UTF-8 as something else.
  out.write(`\ufeff${lines([columns.map(({ header }) => header)])}`)
  for (const row of rowsOf(content, columns))
    await drained(out, lines([row.map((cell) => (typeof cell === 'string' ? defused(cell) : cell))]))
  return null
}
