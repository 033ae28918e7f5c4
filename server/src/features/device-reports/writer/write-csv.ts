import type { Writable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { defused } from '../../../platform/paper/defused.ts'
import { drained } from '../../../platform/paper/drained.ts'
import { columnsOf } from './columns.ts'
import type { About } from './readings.ts'

/** One line per reading: times in ISO 8601 with the offset of the zone, and in UTC; numbers with a point, whatever the language. */
export async function writeCsv(out: Writable, { content, rows }: About): Promise<null> {
  const { iso, utc, rest } = columnsOf(content)
  const columns = [iso, utc, ...rest]
  const instant = (value: unknown) => (value instanceof Date ? value.toISOString() : value)
  const lines = (table: unknown[][]) => stringify(table, { record_delimiter: 'windows' })
  // A byte order mark: without it Excel reads UTF-8 as something else.
  out.write(`\ufeff${lines([columns.map(({ header }) => header)])}`)
  for await (const found of rows()) {
    // The offset is a part of the time: only names are somebody's words.
    const table = found.map((row) =>
      columns.map(({ value }) => {
        const cell = instant(value(row))
        return typeof cell === 'string' ? defused(cell) : cell
      }),
    )
    await drained(out, lines(table))
  }
  return null
}
