import type { SilencedQuery } from '@isotherm/contract/alarms.ts'
import { type RawBuilder, sql } from 'kysely'
import { hearsPrivateText, isToldText, reachedText } from '../../core/alarms/recipient-sql.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { otherThan } from '../../platform/db/other-than.ts'
import { allRows, countRows } from '../../platform/db/rows.ts'
import { visibleAlarmSql } from './visible-sql.ts'

interface Without {
  without: SilencedQuery['without']
  id: string
}

/** The things that are about to be removed. */
type But = Partial<Record<'user' | 'device' | 'group' | 'rota', string>>
type Reader = Pick<Context, 'person'>

/**
 * Every device of the company counts, also one that the reader may not see: the alarm does its work for those who may. PostgreSQL looks no row up by
 * a `coalesce` in a table with row-level security: with one here all devices of the company are read for each alarm.
 */
const watched = (but: But) => sql`select from alarm_targets x
  left join group_devices g on g.company_id = x.company_id and g.group_id = x.group_id
  join devices d on d.company_id = x.company_id and d.id = case when x.device_id is null then g.device_id else x.device_id end
  where x.company_id = a.company_id and x.alarm_id = a.id and d.decommissioned_at is null
    and ${otherThan(sql`d.id`, but.device)} and ${otherThan(sql`x.group_id`, but.group)}`

const watchesNothing = (but: But = {}) => sql<boolean>`not exists (${watched(but)})`

/** Readers without private things are not told that an alarm watches nothing else. */
const isAllPrivate = (
  { person }: Reader,
  but: But,
) => sql<boolean>`(${seesPrivate(person)}::bool and (a.visibility = 'private'
  or (exists (${watched(but)}) and not exists (${watched(but)} and d.visibility = 'public'))))`

/** The recipients who may hear of the alarm by some channel: SMS and chat need a phone number. */
const reached = (reader: Reader, but: But) => sql`select from ${sql.raw(reachedText)}
  where r.company_id = a.company_id and r.alarm_id = a.id and ${sql.raw(isToldText)}
    and (u.id is null or u.phone is not null or r.channels && array['app', 'mail'])
    and ${otherThan(sql`u.id`, but.user)} and ${otherThan(sql`r.rota_id`, but.rota)}
    and (not ${isAllPrivate(reader, but)} or (${sql.raw(hearsPrivateText)} and ${otherThan(sql`r.named_by`, but.user)}))`

/** Whether nobody of the first tier hears of the alarm. */
const tellsNobody = (reader: Reader, but: But = {}) => sql<boolean>`not exists (${reached(reader, but)} and r.tier = 1)`

/** Whether a rota of the alarm, of either tier, has nobody who hears of it. */
const rotaSilent = (reader: Reader, but: But = {}) => sql<boolean>`exists (select from alarm_recipients named
  join rotas k on k.company_id = named.company_id and k.id = named.rota_id and k.archived_at is null
  where named.company_id = a.company_id and named.alarm_id = a.id
    and not exists (${reached(reader, but)} and r.tier = named.tier and r.rota_id = named.rota_id))`

const missing = (list: 'geofenceIds' | 'pointOfInterestIds', table: 'geofences' | 'points_of_interest') => sql<boolean>`
  exists (select from jsonb_array_elements_text(coalesce(a.rule -> ${sql.lit(list)}, '[]')) as wanted (id)
    where not exists (select from ${sql.table(table)} p where p.company_id = a.company_id and p.id = wanted.id::int8))`

const faults = (reader: Reader) => ({
  tellsNobody: tellsNobody(reader),
  rotaSilent: rotaSilent(reader),
  watchesNothing: watchesNothing(),
  placeDeleted: sql<boolean>`(${missing('geofenceIds', 'geofences')} or ${missing('pointOfInterestIds', 'points_of_interest')})`,
})

/** The faults that keep an alarm (`alarms a`) from doing its work, as an array of the names in the contract. */
export const faultsSql = (reader: Reader): RawBuilder<string[]> =>
  sql`array_remove(array[${sql.join(
    Object.entries(faults(reader)).map(([name, isSo]) => sql`case when ${isSo} then ${sql.lit(name)} end`),
  )}], null)`

/** Alarms (`alarms a`) that have a fault. */
export const faultySql = (reader: Reader): RawBuilder<boolean> =>
  sql`(${sql.join(Object.values(faults(reader)), sql` or `)})`

function losesSql(reader: Reader, { without, id }: Without): RawBuilder<boolean> {
  if (without === 'geofence') return sql`a.rule -> 'geofenceIds' ? ${id}`
  if (without === 'pointOfInterest') return sql`a.rule -> 'pointOfInterestIds' ? ${id}`
  const but = { [without]: id }
  return sql`((not ${tellsNobody(reader)} and ${tellsNobody(reader, but)})
    or (${without === 'user'}::bool and not ${rotaSilent(reader)} and ${rotaSilent(reader, but)})
    or (not ${watchesNothing()} and ${watchesNothing(but)}))`
}

/** The alarms, as far as the person may see them, that get a fault when this person, device, group, place or rota goes; by name. */
export const silencedAlarms = (ctx: Context, of: Without): Promise<{ id: string; name: string }[]> =>
  allRows<{ id: string; name: string }>(ctx.tx)`select a.id::text as id, a.name from alarms a
    where ${visibleAlarmSql(ctx)} and a.archived_at is null and ${losesSql(ctx, of)}
    order by lower(a.name), a.id limit 50`

/** How many of the alarms that the person may see have a fault. */
export const countFaulty = (ctx: Context): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n from alarms a
    where ${visibleAlarmSql(ctx)} and a.archived_at is null and ${faultySql(ctx)}`
