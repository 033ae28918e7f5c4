import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { seesAlarmsText } from './recipient-sql.ts'

/** People `u` with the permissions `p` of their role. */
export const peopleSql = sql`users u
  left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'`

/** Whether a person `u` sees a trigger of alarm `a` at device `d` now. */
export const seesTriggerSql = sql<boolean>`(${sql.raw(seesAlarmsText)} and (u.role = 'admin' or 'private' not in (a.visibility, d.visibility)))`

const assigneesSql = sql`from ${peopleSql} where u.company_id = t.company_id and u.id = t.assigned_to and ${seesTriggerSql}`

/** The person who looks after trigger `t` of alarm `a` at device `d`; null also where they were removed or do not see it any more. */
export const assigneeSql = sql`(select json_build_object('id', u.id::text, 'name', u.fullname) ${assigneesSql})`
export const isLookedAfterSql = sql<boolean>`exists (select ${assigneesSql})`

interface Assigning {
  /** Null: nobody. */
  to: string | null
  by: { id: string; name: string }
  now: Date
  /** Leaves those alone that somebody looks after. */
  isOnlyFree?: boolean
}

/** Says who looks after triggers; returns the ids of those that this changed. */
export const writeAssignee = async (
  { tx, companyId }: TenantTx,
  ids: readonly string[],
  { to, by, now, isOnlyFree = false }: Assigning,
): Promise<string[]> =>
  (
    await allRows<{ id: string }>(tx)`
      update alarm_triggers t set assigned_to = ${to}::int8, assigned_at = ${now}, assigned_by = ${JSON.stringify(by)}::jsonb
      from alarms a, devices d
      where t.company_id = ${companyId} and t.id = any(${ids}::int8[]) and t.assigned_to is distinct from ${to}::int8
        and a.company_id = t.company_id and a.id = t.alarm_id and d.company_id = t.company_id and d.id = t.device_id
        and not (${isOnlyFree}::bool and ${isLookedAfterSql})
      returning t.id`
  ).map(({ id }) => id)

/** Tells the person who looks after triggers now. */
export const insertAssigned = ({ tx, companyId }: TenantTx, ids: readonly string[], { by, now }: Assigning) =>
  sql`insert into alarm_events (company_id, kind, alarm_id, trigger_id, at, by_user, to_user)
    select company_id, 'assigned', alarm_id, id, ${now}, ${by.id}::int8, assigned_to from alarm_triggers
    where company_id = ${companyId} and id = any(${ids}::int8[])`.execute(tx)
