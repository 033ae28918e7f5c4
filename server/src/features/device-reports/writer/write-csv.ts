import type { Writable } from 'node:stream'
import { csvOf } from '../../../reporting/csv.ts'
import { columnsOf } from './columns.ts'
import type { ReportSource } from './readings.ts'

/** One line per reading: times in ISO 8601 with the offset of the zone, and in UTC. */
export async function writeCsv(out: Writable, { content, rows }: ReportSource): Promise<null> {
  const { iso, utc, rest } = columnsOf(content)
  const columns = [iso, utc, ...rest]
  const add = csvOf(
    out,
    columns.map(({ header }) => header),
  )
  for await (const found of rows()) await add(found.map((row) => columns.map(({ value }) => value(row))))
  return null
}
