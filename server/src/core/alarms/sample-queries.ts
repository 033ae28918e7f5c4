import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { noteCompany } from '../devices/settings-changes.ts'

interface Of {
  companyId: number
  id: number
}

/** Deletes the triggers of a sample device, what was to be told of them, and the alarms that watch nothing else. As pipeline. */
export async function deleteSampleTriggers(tx: Tx, { companyId, id }: Of, now: Date): Promise<void> {
  await sql`update alarms a set archived_at = ${now}, snoozed_until = null
    where a.company_id = ${companyId} and a.archived_at is null
      and exists (select from alarm_targets x where x.company_id = a.company_id and x.alarm_id = a.id and x.device_id = ${id})
      and not exists (select from alarm_targets x where x.company_id = a.company_id and x.alarm_id = a.id
        and x.device_id is distinct from ${id})`.execute(tx)
  const own = tx
    .selectFrom('alarm_triggers')
    .select('id')
    .where('company_id', '=', companyId)
    .where('device_id', '=', id)
  await tx.deleteFrom('alarm_events').where('company_id', '=', companyId).where('trigger_id', 'in', own).execute()
  await tx.deleteFrom('alarm_triggers').where('company_id', '=', companyId).where('device_id', '=', id).execute()
  await noteCompany({ tx, companyId })
}
