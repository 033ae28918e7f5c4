import { noteArrivalText } from '../../core/reading-arrivals/arrivals-sql.ts'
import type { Batch, Row } from '../batch.ts'
import { awaitAll } from '../lane-connections.ts'
import { numbers } from './pg-arrays.ts'

/** Notes which readings the batch brought, an arrival for each company that exports its readings by cursor. */
export async function writeArrivals({ client, inserted }: Batch): Promise<void> {
  const noted = Map.groupBy(inserted, ({ device }) => (device.notesArrivals ? device.companyId : null))
  noted.delete(null)
  await awaitAll(...[...noted].map(([companyId, rows]) => client.query(arrivalOf(companyId, rows))))
}

function arrivalOf(companyId: number | null, rows: readonly Row[]) {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { part } of rows) {
    from = Math.min(from, part.message.receivedAt)
    to = Math.max(to, part.message.receivedAt)
  }
  const keys = [numbers('int4', rows, ({ device }) => device.id), numbers('timestamptz', rows, ({ at }) => at)]
  return { name: 'note_arrival', text: noteArrivalText, values: [companyId, new Date(from), new Date(to), ...keys] }
}
