import type { SilencedQuery } from '@isotherm/contract/alarms.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { otherThan } from '../../platform/db/other-than.ts'
import { visibleAlarmSql } from './visible-sql.ts'

type What = SilencedQuery['without']
interface Without {
  without: What
  id: string
}

/** A person or address of the first tier that at least one channel reaches: SMS and chat need a phone number. */
const reachable = sql`r.company_id = a.company_id and r.alarm_id = a.id and r.tier = 1 and (r.user_id is null or (
  u.archived_at is null and (u.phone is not null or r.channels && array['app', 'mail'])))`

const recipients = (but?: string) => sql`select from alarm_recipients r
  left join users u on u.company_id = r.company_id and u.id = r.user_id
  where ${reachable} and ${otherThan(sql`r.user_id`, but)}`

/** Every device of the company counts, also one that the reader may not see: the alarm does its work for those who may. */
const watched = (but: { device?: string; group?: string } = {}) => sql`select from devices d
  where d.company_id = a.company_id and d.decommissioned_at is null and ${otherThan(sql`d.id`, but.device)} and (
    exists (select from alarm_targets x where x.company_id = a.company_id and x.alarm_id = a.id and x.device_id = d.id)
    or exists (select from alarm_targets x join group_devices g on g.company_id = x.company_id and g.group_id = x.group_id
      where x.company_id = a.company_id and x.alarm_id = a.id and g.device_id = d.id
        and ${otherThan(sql`g.group_id`, but.group)}))`

const missing = (list: 'geofenceIds' | 'pointOfInterestIds', table: 'geofences' | 'points_of_interest') => sql<boolean>`
  exists (select from jsonb_array_elements_text(coalesce(a.rule -> ${sql.lit(list)}, '[]')) as wanted (id)
    where not exists (select from ${sql.table(table)} p where p.company_id = a.company_id and p.id = wanted.id::int8))`

const faults = {
  tellsNobody: sql<boolean>`not exists (${recipients()})`,
  watchesNothing: sql<boolean>`not exists (${watched()})`,
  placeDeleted: sql<boolean>`(${missing('geofenceIds', 'geofences')} or ${missing('pointOfInterestIds', 'points_of_interest')})`,
}

/** The faults that keep an alarm (`alarms a`) from doing its work, as an array of the names in the contract. */
export const faultsSql: RawBuilder<string[]> = sql`array_remove(array[${sql.join(
  Object.entries(faults).map(([name, isSo]) => sql`case when ${isSo} then ${sql.lit(name)} end`),
)}], null)`

/** Alarms (`alarms a`) that have a fault. */
export const faultySql: RawBuilder<boolean> = sql`(${sql.join(Object.values(faults), sql` or `)})`

const loses: Record<What, (id: string) => RawBuilder<boolean>> = {
  user: (id) => sql`not (${faults.tellsNobody}) and not exists (${recipients(id)})`,
  device: (id) => sql`not (${faults.watchesNothing}) and not exists (${watched({ device: id })})`,
  group: (id) => sql`not (${faults.watchesNothing}) and not exists (${watched({ group: id })})`,
  geofence: (id) => sql`a.rule -> 'geofenceIds' ? ${id}`,
  pointOfInterest: (id) => sql`a.rule -> 'pointOfInterestIds' ? ${id}`,
}

/** The alarms, as far as the person may see them, that get a fault when this person, device, group or place goes; by name. */
export async function silencedAlarms(ctx: Context, { without, id }: Without): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select a.id::text as id, a.name from alarms a
    where ${visibleAlarmSql(ctx)} and a.archived_at is null and ${loses[without](id)}
    order by lower(a.name), a.id limit 50`.execute(ctx.tx)
  return rows
}

/** How many of the alarms that the person may see have a fault. */
export async function countFaulty(ctx: Context): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from alarms a
    where ${visibleAlarmSql(ctx)} and a.archived_at is null and ${faultySql}`.execute(ctx.tx)
  return rows[0]?.n ?? 0
}
