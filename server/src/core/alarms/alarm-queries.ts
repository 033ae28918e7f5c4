import { type Insertable, sql, type Updateable } from 'kysely'
import type { TenantTx, ViewerTx } from '../../platform/context.ts'
import type { Alarms } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export async function insertAlarm({ tx, companyId }: TenantTx, alarm: Omit<Insertable<Alarms>, 'company_id'>) {
  const values = { ...alarm, company_id: companyId }
  const { id } = await tx.insertInto('alarms').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export const updateAlarm = ({ tx, companyId }: TenantTx, id: string, change: Updateable<Alarms>) =>
  tx.updateTable('alarms').set(change).where('company_id', '=', companyId).where('id', '=', id).execute()

export const snoozeUntil = ({ tx, companyId, person }: ViewerTx, ids: readonly string[], until: Date) =>
  sql`update alarms set snoozed_until = ${until}, snoozed_by = ${person.id}::int8
    where company_id = ${companyId} and id = any(${ids}::int8[])`.execute(tx)

/** Writes the event of a test, unless there was one since an instant. */
export async function insertTest({ tx, companyId, person }: ViewerTx, id: string, at: Date, unlessSince: Date) {
  await sql`insert into alarm_events (company_id, kind, alarm_id, at, by_user)
    select ${companyId}, 'test', ${id}::int8, ${at}::timestamptz, ${person.id}::int8
    where not exists (select from alarm_events where company_id = ${companyId} and alarm_id = ${id}
      and kind = 'test' and at > ${unlessSince})`.execute(tx)
}

/** Notes that people were told of these events, as pipeline. */
export const markTaken = (tx: Tx, ids: readonly string[], at: Date) =>
  sql`update alarm_events set taken_at = ${at} where id = any(${ids}::int8[])`.execute(tx)
