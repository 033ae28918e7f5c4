import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/db/transaction.ts'
import type { Change, Issued, IssuedTable, IssueJob } from './issued-report.ts'

export async function findIssued<T extends IssuedTable>(tx: Tx, table: T, { companyId, reportId }: IssueJob) {
  const { rows } = await sql<Issued[T]>`
    select * from ${sql.table(table)} where company_id = ${companyId} and id = ${reportId}::int8`.execute(tx)
  return rows[0]
}

interface Held {
  state: string[]
  /** How often its building was begun; default: however often. */
  attempts?: number
}

/** Changes a report that is in one of some states, and was begun so often; undefined where it is not, or is gone. */
export const changeHeld = <T extends IssuedTable>(
  tx: Tx,
  table: T,
  { companyId, reportId }: IssueJob,
  { state, attempts }: Held,
  values: Change<T>,
) =>
  // By name it touches only what all these tables have; `values` fit the one they are for.
  tx
    .updateTable(table as 'device_reports')
    .set(values as Change<'device_reports'>)
    .where('company_id', '=', companyId)
    .where('id', '=', reportId)
    .where('state', 'in', state)
    .where(attempts === undefined ? sql<boolean>`true` : sql<boolean>`attempts = ${attempts}`)
    .returning('id')
    .executeTakeFirst()

/** Resolves with undefined where the report is gone. */
export const changeIssued = <T extends IssuedTable>(
  tx: Tx,
  table: T,
  { companyId, reportId }: IssueJob,
  values: Change<T>,
) =>
  // By name it touches only what all these tables have; `values` fit the one they are for.
  tx
    .updateTable(table as 'device_reports')
    .set(values as Change<'device_reports'>)
    .where('company_id', '=', companyId)
    .where('id', '=', reportId)
    .returning('id')
    .executeTakeFirst()

/** The tables of files that were written for somebody, and since when a file of theirs counts. */
const writtenAt = {
  device_reports: sql.ref('finished_at'),
  group_reports: sql.ref('finished_at'),
  order_claims: sql.ref('finished_at'),
  cold_treatment_records: sql.ref('finished_at'),
  shipment_reports: sql.ref('finished_at'),
  report_files: sql.ref('created_at'),
} satisfies Record<string, RawBuilder<unknown>>
export type FileTable = keyof typeof writtenAt

export interface KeptFile {
  company_id: number
  id: string
  file_key: string
}

/** Files from before an instant; `tx` of role `pipeline`. */
export async function filesBefore(tx: Tx, table: FileTable, before: Date, most: number): Promise<KeptFile[]> {
  const { rows } = await sql<KeptFile>`select company_id, id, file_key from ${sql.table(table)}
    where file_key is not null and ${writtenAt[table]} < ${before} limit ${most}`.execute(tx)
  return rows
}

export const setRemoved = (tx: Tx, table: FileTable, { company_id, id }: KeptFile, at: Date) =>
  sql`update ${sql.table(table)} set file_key = null, removed_at = ${at}
    where company_id = ${company_id} and id = ${id}::int8`.execute(tx)
