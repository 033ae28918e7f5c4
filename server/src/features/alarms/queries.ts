import type { AlarmQuery } from '@isotherm/contract/alarms.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { hearsPrivateText, recipientsText } from '../../core/alarms/recipient-sql.ts'
import { type RotaPlan, rotaPlanText } from '../../core/alarms/rota-sql.ts'
import { isSql, snoozedSql } from '../../core/alarms/trigger-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { visibleGroupSql } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { countFilters, firstRow, orderOf, pageOfRows, valuesOf } from '../../platform/db/rows.ts'
import type { Alarms } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { faultsSql, faultySql } from './faults-sql.ts'
import { visibleAlarmSql } from './visible-sql.ts'

interface Named {
  id: string
  name: string
}

export interface RecipientRow {
  tier: number
  user_id: string | null
  address: string | null
  channels: string[]
  name: string | null
  email: string | null
  phone: string | null
  hears_private: boolean
  rota_id: string | null
  rota: RotaPlan | null
}

export interface AlarmRow extends Selectable<Alarms> {
  devices: Named[]
  groups: Named[]
  device_count: number
  private_devices: Named[]
  private_device_count: number
  recipients: RecipientRow[]
  places: { kind: 'geofence' | 'pointOfInterest'; id: string; name: string }[]
  faults: string[]
  open_triggers: number
  last_triggered_at: Date | null
}

/** Names that are listed of an alarm's targets. */
const maxAuditNames = 50

/** From the devices `d` of an alarm `a` that the person may see, with the condition that they are. */
export const targetDevices = (ctx: Context): RawBuilder<unknown> => sql`
  from devices d where ${visibleSql(ctx)} and d.decommissioned_at is null and d.id in (
    select x.device_id from alarm_targets x where x.company_id = a.company_id and x.alarm_id = a.id and x.device_id is not null
    union all select g.device_id from alarm_targets x
      join group_devices g on g.company_id = x.company_id and g.group_id = x.group_id
      where x.company_id = a.company_id and x.alarm_id = a.id)`

const isPrivateSql = sql`'private' in (a.visibility, d.visibility)`

const named = (from: RawBuilder<unknown>) => sql`
  (select coalesce(json_agg(json_build_object('id', id::text, 'name', name) order by lower(name)), '[]')
    from (${from} limit ${maxAuditNames}) as named)`

/** The places `of` that the rule of an alarm `a` names, looked up by their ids. */
const placesSql = (list: string, table: string, of: string) => sql`
  jsonb_array_elements_text(coalesce(a.rule -> ${sql.lit(list)}, '[]')) as wanted (id)
  join ${sql.table(table)} ${sql.ref(of)} on ${sql.ref(of)}.company_id = a.company_id and ${sql.ref(of)}.id = wanted.id::int8`

const details = (ctx: Context) => sql`
  ${named(sql`select d.id, d.name from devices d join alarm_targets x
    on x.company_id = d.company_id and x.device_id = d.id
    where ${visibleSql(ctx)} and x.alarm_id = a.id order by lower(d.name)`)} as devices,
  ${named(sql`select g.id, g.name from groups g join alarm_targets x
    on x.company_id = g.company_id and x.group_id = g.id
    where ${visibleGroupSql(ctx)} and x.alarm_id = a.id order by lower(g.name)`)} as groups,
  (select count(*)::int ${targetDevices(ctx)}) as device_count,
  ${named(sql`select d.id, d.name ${targetDevices(ctx)} and ${isPrivateSql} order by lower(d.name)`)} as private_devices,
  (select count(*)::int ${targetDevices(ctx)} and ${isPrivateSql}) as private_device_count,
  (select coalesce(json_agg(json_build_object('tier', r.tier, 'user_id', r.user_id::text, 'address', r.address,
      'channels', r.channels, 'name', u.fullname, 'email', u.email, 'phone', u.phone,
      'hears_private', ${sql.raw(hearsPrivateText)}, 'rota_id', o.id::text, 'rota', case when o.id is not null then ${sql.raw(rotaPlanText)} end)
      order by r.tier, u.fullname nulls last, o.name nulls last, r.address), '[]')
    from ${sql.raw(recipientsText)}
    left join rotas o on o.company_id = r.company_id and o.id = r.rota_id and o.archived_at is null
    left join companies c on c.company_id = o.company_id
    where r.company_id = a.company_id and r.alarm_id = a.id and u.archived_at is null
      and num_nonnulls(r.address, u.id, o.id) > 0) as recipients,
  (select coalesce(json_agg(json_build_object('kind', kind, 'id', id::text, 'name', name) order by lower(name)), '[]') from (
    select 'geofence' as kind, f.id, f.name from ${placesSql('geofenceIds', 'geofences', 'f')}
    union select 'pointOfInterest', p.id, p.name from ${placesSql('pointOfInterestIds', 'points_of_interest', 'p')}) as places) as places,
  ${faultsSql(ctx)} as faults`

const triggersOf = (ctx: Context) => sql`
  (select count(*)::int from alarm_triggers t join devices d on d.company_id = t.company_id and d.id = t.device_id
    where t.company_id = a.company_id and t.alarm_id = a.id and ${isSql('lasting')} and ${visibleSql(ctx)}) as open_triggers,
  (select max(t.opened_at) from alarm_triggers t join devices d on d.company_id = t.company_id and d.id = t.device_id
    where t.company_id = a.company_id and t.alarm_id = a.id and ${visibleSql(ctx)}) as last_triggered_at`

const orders: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(a.name)`,
  createdAt: sql`a.created_at`,
  lastTriggered: sql`last_triggered_at`,
  openTriggers: sql`open_triggers`,
}

function filtersOf(ctx: Context, query: AlarmQuery) {
  const conditions = [searchedSql(ctx, query)]
  if (query.faulty) conditions.push(faultySql(ctx))
  if (query.kind) conditions.push(sql`a.kind = ${query.kind}`)
  if (query.severity) conditions.push(sql`a.severity = ${query.severity}`)
  if (query.snoozed) conditions.push(sql`${snoozedSql(ctx.clock.now())} = (${query.snoozed} = 'true')`)
  return sql.join(conditions, sql` and `)
}

export function alarmCounts(ctx: Context, query: AlarmQuery) {
  const snoozed = snoozedSql(ctx.clock.now())
  const asked = query.snoozed && (query.snoozed === 'true' ? 'snoozed' : 'armed')
  return countFilters(ctx.tx, sql`alarms a where ${searchedSql(ctx, query)}`, {
    kind: { options: valuesOf('a.kind', ['value', 'fence', 'noData']), chosen: query.kind },
    severity: { options: valuesOf('a.severity', ['warning', 'critical']), chosen: query.severity },
    state: {
      options: { armed: sql`not ${snoozed}`, snoozed, faulty: faultySql(ctx) },
      chosen: query.faulty ? 'faulty' : asked,
    },
  })
}

/** The alarms `a` that the search leaves, and the device or group that they are asked of. */
function searchedSql(ctx: Context, query: AlarmQuery): RawBuilder<unknown> {
  const conditions = [sql`${visibleAlarmSql(ctx)} and a.archived_at is null`]
  if (query.search) {
    const found = containing(query.search)
    conditions.push(sql`(a.name ilike ${found} or exists (select ${targetDevices(ctx)}
      and (d.name ilike ${found} or d.tag ilike ${found})))`)
  }
  if (query.device) conditions.push(sql`${query.device}::int8 in (select d.id ${targetDevices(ctx)})`)
  if (query.group)
    conditions.push(sql`exists (select from alarm_targets x where x.company_id = a.company_id and x.alarm_id = a.id
      and x.group_id = ${query.group}::int8
      and x.group_id in (select g.id from groups g where ${visibleGroupSql(ctx)}))`)
  return sql.join(conditions, sql` and `)
}

/** One page of the alarms the person may see, and how many there are in all. */
export function listAlarms(ctx: Context, query: AlarmQuery) {
  const isByTriggers = /trigger/i.test(query.sort)
  return pageOfRows<AlarmRow>(ctx.tx, query, {
    columns: isByTriggers ? sql`a.*, ${triggersOf(ctx)}` : sql`a.*`,
    from: sql`alarms a where ${filtersOf(ctx, query)}`,
    order: sql`${orderOf(orders, query.sort)} nulls last, a.id`,
    rest: { of: 'a', columns: isByTriggers ? details(ctx) : sql`${details(ctx)}, ${triggersOf(ctx)}` },
  })
}

/** An alarm the person may see; throws NOT_FOUND for any other. */
export async function loadAlarm(ctx: Context, id: string): Promise<AlarmRow> {
  const row = await firstRow<AlarmRow>(ctx.tx)`select a.*, ${details(ctx)}, ${triggersOf(ctx)} from alarms a
    where ${visibleAlarmSql(ctx)} and a.archived_at is null and a.id = ${id}`
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** Locks it against other changes until the transaction ends. */
export const lockAlarm = (ctx: Context, id: string) =>
  sql`select id from alarms where company_id = ${ctx.companyId} and id = ${id} for no key update`.execute(ctx.tx)

/** Locks the alarms that the person may see and that are not snoozed just so; returns their ids. */
export async function lockSnoozedOtherwise(ctx: Context, until: Date | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select a.id from alarms a
    where ${visibleAlarmSql(ctx)} and a.archived_at is null and a.snoozed_until is distinct from ${until}
    order by a.id for no key update`.execute(ctx.tx)
  return rows.map(({ id }) => id)
}
