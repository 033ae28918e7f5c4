import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/*
 * The pipeline keeps trackers, devices with their rules, and places in memory. A function that changes what it read writes an event
 * here, in the same transaction; every node then drops the subjects and reads them again. The subjects are parsed by
 * `Directory.forget`.
 */

/** The subject of a device, as SQL over these columns. */
export const deviceSubjectSql = (companyId: string, deviceId: string) =>
  `'device:' || ${companyId} || ':' || ${deviceId}`

const note = (tx: Tx, subjects: RawBuilder<unknown>) =>
  sql`insert into settings_changes (subject) select distinct subject from (${subjects}) as changed (subject)`.execute(
    tx,
  )

const noteEach = async (tx: Tx, subjects: readonly string[]) => {
  if (subjects.length > 0) await note(tx, sql`select unnest(${subjects}::text[])`)
}

/**
 * Deletes changes that every lane has long seen, and those of a dump from another server, whose transactions are still to come here. As
 * pipeline.
 */
export const forgetChanges = (tx: Tx) =>
  sql`delete from settings_changes
    where at < now() - interval '7 days' or xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(tx)

/** After a change of the secrets or of the assignments of this hardware; as `app` or the login. */
export const noteTrackers = (tx: Tx, imeis: readonly string[]): Promise<void> =>
  noteEach(
    tx,
    imeis.map((imei) => `imei:${imei}`),
  )

/** After a change of limits, intervals or waiting commands of these devices. */
export const noteDevices = (tx: Tx, devices: readonly { companyId: number; deviceId: number }[]): Promise<void> =>
  noteEach(
    tx,
    devices.map(({ companyId, deviceId }) => `device:${companyId}:${deviceId}`),
  )

/** After a change of alarms, of what they watch, of groups' devices or of places: it concerns many devices. */
export const noteCompany = ({ tx, companyId }: TenantTx): Promise<void> => noteEach(tx, [`company:${companyId}`])

/**
 * After a change of when a record begins or ends, or of its devices (as `app` or `pipeline`): cumulative alarms count within
 * records. Without such alarms nothing is written.
 */
export const noteRecord = (tx: Tx, companyId: number, recordId: string) =>
  note(
    tx,
    sql`select ${sql.raw(deviceSubjectSql('company_id', 'device_id'))} from record_devices
      where company_id = ${companyId} and record_id = ${recordId}::int8
        and exists (select from alarms where company_id = ${companyId} and archived_at is null
          and rule -> 'cumulative' ->> 'window' = 'record')`,
  )
