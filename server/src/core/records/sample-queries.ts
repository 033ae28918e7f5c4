import type { Tx } from '../../platform/db/transaction.ts'

interface Of {
  companyId: number
  id: number
}

const recordsOf = (tx: Tx, { companyId, id }: Of) =>
  tx.selectFrom('record_devices').select('record_id').where('company_id', '=', companyId).where('device_id', '=', id)

/** The files that people added to the records of a sample device. As pipeline. */
export async function filesOfSampleRecords(tx: Tx, of: Of): Promise<string[]> {
  const rows = await tx
    .selectFrom('record_attachments')
    .select('file_key')
    .where('company_id', '=', of.companyId)
    .where('record_id', 'in', recordsOf(tx, of))
    .execute()
  return rows.map((row) => row.file_key)
}

/** Deletes the records of a sample device, which it has to itself, with all that is in them. As pipeline. */
export const deleteSampleRecords = (tx: Tx, of: Of) =>
  tx.deleteFrom('records').where('company_id', '=', of.companyId).where('id', 'in', recordsOf(tx, of)).execute()
