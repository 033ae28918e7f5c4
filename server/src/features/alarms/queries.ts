import type { NewRecipient } from '@isotherm/contract/alarm-recipients.ts'
import type { AlarmQuery } from '@isotherm/contract/alarms.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isSql, snoozedSql } from '../../core/alarms/trigger-sql.ts'
import { vouchesSql } from '../../platform/auth/visibility.ts'
import type { Alarms } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { visibleSql } from '../../platform/devices/visible-devices.ts'
import { visibleGroupSql } from '../../platform/groups/visible-groups.ts'
import type { Context } from '../../platform/http/context.ts'
import { faultsSql, faultySql } from './faults-sql.ts'
import { visibleAlarmSql } from './visible.ts'

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

const targetDevices = (ctx: Context) => sql`
  from devices d where ${visibleSql(ctx)} and d.decommissioned_at is null and d.id in (
    select x.device_id from alarm_targets x where x.company_id = a.company_id and x.alarm_id = a.id and x.device_id is not null
    union all select g.device_id from alarm_targets x
      join group_devices g on g.company_id = x.company_id and g.group_id = x.group_id
      where x.company_id = a.company_id and x.alarm_id = a.id)`

const isPrivateSql = sql`'private' in (a.visibility, d.visibility)`

const named = (from: RawBuilder<unknown>) => sql`
  (select coalesce(json_agg(json_build_object('id', id::text, 'name', name) order by lower(name)), '[]')
    from (${from} limit ${maxAuditNames}) as named)`

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
      'hears_private', coalesce(u.role = 'admin', ${vouchesSql('v')}, false))
      order by r.tier, u.fullname nulls last, r.address), '[]')
    from alarm_recipients r left join users u on u.company_id = r.company_id and u.id = r.user_id
      left join users v on v.company_id = r.company_id and v.id = r.named_by
    where r.company_id = a.company_id and r.alarm_id = a.id and (u.id is null or u.archived_at is null)) as recipients,
  (select coalesce(json_agg(json_build_object('kind', kind, 'id', id::text, 'name', name) order by lower(name)), '[]') from (
    select 'geofence' as kind, id, name from geofences f where f.company_id = a.company_id
      and a.rule -> 'geofenceIds' ? f.id::text
    union all select 'pointOfInterest', id, name from points_of_interest p where p.company_id = a.company_id
      and a.rule -> 'pointOfInterestIds' ? p.id::text) as places) as places,
  ${faultsSql} as faults,
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
  const conditions = [sql`${visibleAlarmSql(ctx)} and a.archived_at is null`]
  if (query.search) {
    const found = containing(query.search)
    conditions.push(sql`(a.name ilike ${found} or exists (select ${targetDevices(ctx)}
      and (d.name ilike ${found} or d.tag ilike ${found})))`)
  }
  if (query.faulty) conditions.push(faultySql)
  if (query.kind) conditions.push(sql`a.kind = ${query.kind}`)
  if (query.severity) conditions.push(sql`a.severity = ${query.severity}`)
  if (query.snoozed) conditions.push(sql`${snoozedSql(ctx.clock.now())} = (${query.snoozed} = 'true')`)
  if (query.device) conditions.push(sql`${query.device}::int8 in (select d.id ${targetDevices(ctx)})`)
  if (query.group)
    conditions.push(sql`exists (select from alarm_targets x where x.company_id = a.company_id and x.alarm_id = a.id
      and x.group_id = ${query.group}::int8
      and x.group_id in (select g.id from groups g where ${visibleGroupSql(ctx)}))`)
  return sql.join(conditions, sql` and `)
}

/** One page of the alarms the person may see, and how many there are in all. */
export async function listAlarms(ctx: Context, query: AlarmQuery): Promise<{ rows: AlarmRow[]; total: number }> {
  const where = filtersOf(ctx, query)
  const order = orders[query.sort.replace('-', '')] ?? sql`lower(a.name)`
  const direction = sql.raw(query.sort.startsWith('-') ? 'desc' : 'asc')
  const [page, count] = await Promise.all([
    sql<AlarmRow>`select a.*, ${details(ctx)} from alarms a where ${where}
      order by ${order} ${direction} nulls last, a.id limit ${query.perPage} offset ${(query.page - 1) * query.perPage}`.execute(
      ctx.tx,
    ),
    sql<{ total: number }>`select count(*)::int as total from alarms a where ${where}`.execute(ctx.tx),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** An alarm the person may see. */
export async function findAlarm(ctx: Context, id: string): Promise<AlarmRow | undefined> {
  const { rows } = await sql<AlarmRow>`select a.*, ${details(ctx)} from alarms a
    where ${visibleAlarmSql(ctx)} and a.archived_at is null and a.id = ${id}`.execute(ctx.tx)
  return rows[0]
}

/** Locks it against other changes until the transaction ends. */
export const lockAlarm = (ctx: Context, id: string) =>
  sql`select id from alarms where company_id = ${ctx.companyId} and id = ${id} for no key update`.execute(ctx.tx)

/**
 * Omitted fields stay, and so does a target that the person may not see: nobody takes a private device or group off an
 * alarm without knowing. What it has watched already it goes on watching without a break.
 */
export async function replaceTargets(
  ctx: Context,
  id: string,
  { deviceIds, groupIds }: { deviceIds?: readonly string[] | undefined; groupIds?: readonly string[] | undefined },
): Promise<void> {
  const own = sql`company_id = ${ctx.companyId} and alarm_id = ${id}::int8`
  if (deviceIds) {
    await sql`delete from alarm_targets where ${own}
      and device_id <> all(${deviceIds}::int4[])
      and device_id in (select d.id from devices d where ${visibleSql(ctx)})`.execute(ctx.tx)
    await sql`insert into alarm_targets (company_id, alarm_id, device_id, added_at)
      select distinct ${ctx.companyId}::int4, ${id}::int8, device_id, ${ctx.clock.now()}::timestamptz from unnest(${deviceIds}::int4[]) as t (device_id)
      on conflict do nothing`.execute(ctx.tx)
  }
  if (groupIds) {
    await sql`delete from alarm_targets where ${own}
      and group_id <> all(${groupIds}::int8[])
      and group_id in (select g.id from groups g where ${visibleGroupSql(ctx)})`.execute(ctx.tx)
    await sql`insert into alarm_targets (company_id, alarm_id, group_id, added_at)
      select distinct ${ctx.companyId}::int4, ${id}::int8, group_id, ${ctx.clock.now()}::timestamptz from unnest(${groupIds}::int8[]) as t (group_id)
      on conflict do nothing`.execute(ctx.tx)
  }
}

const tiers = { recipients: 1, escalation: 2 } as const

/** The people who named the addresses of an alarm, by address; null: not known. */
type Namers = ReadonlyMap<string, string | null>

/** For an address in both lists, the person who named it in the first. */
export async function namersOf(ctx: Context, id: string): Promise<Namers> {
  const rows = await ctx.tx
    .selectFrom('alarm_recipients')
    .select(['address', 'named_by'])
    .where('company_id', '=', ctx.companyId)
    .where('alarm_id', '=', id)
    .where('address', 'is not', null)
    .orderBy('tier', 'desc')
    .execute()
  return new Map(rows.map(({ address, named_by }) => [address ?? '', named_by]))
}

/**
 * Replaces one of an alarm's lists. An address that stands keeps who named it, whoever saves: an Admin who changes something else
 * does not vouch for what somebody else named, unless they say so.
 */
export async function replaceRecipients(
  ctx: Context,
  id: string,
  list: keyof typeof tiers,
  recipients: readonly NewRecipient[],
  namers: Namers,
): Promise<void> {
  const tier = tiers[list]
  const vouched = new Set(recipients.flatMap((each) => ('vouched' in each && each.vouched ? rowOf(each).address : [])))
  const namedBy = (address: string | null) => {
    if (address === null) return null
    const namer = namers.get(address)
    return namer === undefined || vouched.has(address) ? ctx.person.id : namer
  }
  await ctx.tx
    .deleteFrom('alarm_recipients')
    .where('company_id', '=', ctx.companyId)
    .where('alarm_id', '=', id)
    .where('tier', '=', tier)
    .execute()
  const rows = mergedByAddress(recipients.map(rowOf))
  if (rows.length > 0)
    await ctx.tx
      .insertInto('alarm_recipients')
      .values(
        rows.map((row) => ({
          company_id: ctx.companyId,
          alarm_id: id,
          tier,
          ...row,
          named_by: namedBy(row.address),
        })),
      )
      .execute()
}

interface StoredRecipient {
  user_id: string | null
  address: string | null
  channels: string[]
}

function rowOf(recipient: NewRecipient): StoredRecipient {
  if ('userId' in recipient) return { user_id: recipient.userId, address: null, channels: recipient.channels }
  if ('email' in recipient) return { user_id: null, address: recipient.email, channels: ['mail'] }
  if ('phone' in recipient) return { user_id: null, address: recipient.phone, channels: recipient.channels }
  return { user_id: null, address: recipient.webhook, channels: ['webhook'] }
}

/** A recipient who is named twice gets one message by each channel. */
function mergedByAddress(rows: readonly StoredRecipient[]): StoredRecipient[] {
  const merged = new Map<string, StoredRecipient>()
  for (const row of rows) {
    const key = `${row.user_id} ${row.address}`
    const channels = [...new Set([...(merged.get(key)?.channels ?? []), ...row.channels])]
    merged.set(key, { ...row, channels })
  }
  return [...merged.values()]
}
