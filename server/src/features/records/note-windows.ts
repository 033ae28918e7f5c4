import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/**
 * Tells the pipeline, with the commit of `tx` (as `app` or `pipeline`), that the windows of a record's devices have changed:
 * cumulative alarms count within them. Without such alarms nothing is told.
 */
export const noteWindows = (tx: Tx, companyId: number, recordId: string) =>
  sql`insert into settings_changes (subject)
    select 'device:' || company_id || ':' || device_id from record_devices
    where company_id = ${companyId} and record_id = ${recordId}::int8
      and exists (select from alarms where company_id = ${companyId} and archived_at is null
        and rule -> 'cumulative' ->> 'window' = 'record')`.execute(tx)
