import { noteArrivalsText } from '../../core/reading-arrivals/arrivals-sql.ts'
import type { Batch, Row } from '../batch.ts'
import { numbers } from './pg-arrays.ts'

/** The readings of a company in a batch: the bounds of their times of arrival, and their places among all that are noted, from 1. */
interface Arrival {
  companyId: number
  receivedFrom: number
  receivedTo: number
  first: number
  last: number
}

/** Notes which readings the batch brought, for companies that export theirs by cursor. */
export async function writeArrivals({ client, inserted }: Batch): Promise<void> {
  const { rows, arrivals } = byCompany(inserted.filter(({ device }) => device.notesArrivals))
  if (rows.length === 0) return
  await client.query({
    name: 'note_arrivals',
    text: noteArrivalsText,
    values: [
      numbers('int4', arrivals, (one) => one.companyId),
      numbers('timestamptz', arrivals, (one) => one.receivedFrom),
      numbers('timestamptz', arrivals, (one) => one.receivedTo),
      numbers('int4', arrivals, (one) => one.first),
      numbers('int4', arrivals, (one) => one.last),
      numbers('int4', rows, (row) => row.device.id),
      numbers('timestamptz', rows, (row) => row.at),
    ],
  })
}

/** Rows, those of a company one after the other, and what each company has of them. */
function byCompany(noted: readonly Row[]): { rows: Row[]; arrivals: Arrival[] } {
  const rows: Row[] = []
  const arrivals: Arrival[] = []
  for (const [companyId, own] of Map.groupBy(noted, ({ device }) => device.companyId)) {
    let [receivedFrom, receivedTo] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const first = rows.length + 1
    for (const row of own) {
      const { receivedAt } = row.part.message
      receivedFrom = Math.min(receivedFrom, receivedAt)
      receivedTo = Math.max(receivedTo, receivedAt)
      rows.push(row)
    }
    arrivals.push({ companyId, receivedFrom, receivedTo, first, last: rows.length })
  }
  return { rows, arrivals }
}
