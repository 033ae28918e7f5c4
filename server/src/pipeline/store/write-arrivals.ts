import { noteArrivalsText } from '../../core/reading-arrivals/arrivals-sql.ts'
import type { Batch } from '../batch.ts'
import { numbers } from './pg-arrays.ts'

/** Notes which readings the batch brought, for companies that export theirs by cursor. */
export async function writeArrivals({ client, inserted }: Batch): Promise<void> {
  const rows = inserted.filter(({ device }) => device.notesArrivals)
  if (rows.length === 0) return
  await client.query({
    name: 'note_arrivals',
    text: noteArrivalsText,
    values: [
      numbers('int4', rows, (row) => row.device.companyId),
      numbers('int4', rows, (row) => row.device.id),
      numbers('timestamptz', rows, (row) => row.at),
      numbers('timestamptz', rows, (row) => row.part.message.receivedAt),
    ],
  })
}
