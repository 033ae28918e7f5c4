import { hearsPrivateText, isToldText, recipientsText, seesAlarmsText } from '../../core/alarms/recipient-sql.ts'
import type { Alert, AlertEvent } from '../../core/alerts/alert-texts.ts'
import { isShownText } from '../../core/visibility/visibility.ts'
import type { Client } from '../../platform/db/pool.ts'

/** An event that waits, with its trigger, alarm and device. */
export interface WaitingEvent {
  id: string
  companyId: number
  kind: Exclude<AlertEvent, 'crossed'>
  at: string
  alarmId: string
  alarmName: string
  severity: 'warning' | 'critical'
  triggerId: string | null
  deviceId: number | null
  /** Only Admins hear of a private alarm or device. */
  isPrivate: boolean
  isEscalated: boolean
  /** Told of a sample device, or a test of an alarm that watches nothing else: no money is spent on it. */
  isSample?: boolean
  /** The person to whom the trigger was assigned; of other events null. */
  toUser?: string | null
  /** Where the alarm names a rota, for a follow-up to those who had the first message: the people who were told in the app. */
  toldIds?: string[] | null
  condition: string | null
  names: { device: string; fence?: string } | null
  position: { lat: number; lon: number } | null
  limit: number | null
  cumulative: Alert['cumulative']
  value: number | null
  peak: number | null
  /** The newest value that the device measured. */
  latest?: number | null
  breachAt: string | null
  normalAt: string | null
  late: boolean
}

const eventsSql = `
select e.id, e.company_id as "companyId", e.kind, to_json(e.at) #>> '{}' as at, a.id as "alarmId", a.name as "alarmName",
  coalesce(t.severity, a.severity) as severity, t.id as "triggerId", t.device_id as "deviceId",
  a.visibility = 'private' or coalesce(d.visibility = 'private', false) as "isPrivate",
  t.escalated_at is not null as "isEscalated",
  case when d.id is not null then d.sample_until is not null else coalesce((select bool_and(s.sample_until is not null)
    from alarm_targets x left join devices s on s.company_id = x.company_id and s.id = x.device_id
    where x.company_id = a.company_id and x.alarm_id = a.id), false) end as "isSample", e.to_user as "toUser",
  case when e.kind in ('normal', 'withdrawn') and exists (select from alarm_recipients r
      where r.company_id = a.company_id and r.alarm_id = a.id and r.rota_id is not null)
    then (select array_agg(n.user_id::text) from notifications n where n.company_id = t.company_id and n.device_id = t.device_id
      and n.at >= least(t.breach_at, t.recorded_at) - interval '1 hour' and n.trigger_id = t.id and n.kind <> 'deliveryFailed') end as "toldIds",
  t.condition, t.names, t.position, t.limit_value as limit, t.cumulative, t.value, t.peak,
  case when ${isShownText('d', 'l.measured_at')} then case split_part(t.condition, 'M', 1) when 'temperature' then l.temperature_centi
    when 'humidity' then l.humidity_centi when 'battery' then l.battery_pct * 100 end end as latest,
  to_json(t.breach_at) #>> '{}' as "breachAt", to_json(t.normal_at) #>> '{}' as "normalAt", coalesce(t.late, false) as late
from alarm_events e
join alarms a on a.company_id = e.company_id and a.id = e.alarm_id
left join alarm_triggers t on t.company_id = e.company_id and t.id = e.trigger_id
left join devices d on d.company_id = t.company_id and d.id = t.device_id
left join device_latest l on l.company_id = t.company_id and l.device_id = t.device_id
where e.taken_at is null and e.id <> all($2::int8[]) order by e.id limit $1 for update of e skip locked`

/** The oldest events that wait, without some, held against other notifiers until the transaction ends. As pipeline. */
export const readEvents = async (client: Client, most: number, without: string[]): Promise<WaitingEvent[]> =>
  (await client.query<WaitingEvent>({ name: 'waiting_events', text: eventsSql, values: [most, without] })).rows

export interface Recipient {
  companyId: number
  alarmId: string
  tier: number
  userId: string | null
  /** The address of a raw recipient; for a person their mail address. */
  address: string | null
  phone: string | null
  channels: string[]
  /** An Admin, or an address that an Admin named who still is one. */
  hearsPrivate: boolean
  locale: string
  timezone: string
  quietFrom: string | null
  quietTo: string | null
  /** Where they are a recipient as one of a rota: how many others of it are to be told before them. */
  rota?: { id: string; rank: number }
}

const recipientsSql = `
select r.company_id as "companyId", r.alarm_id as "alarmId", r.tier, r.user_id as "userId", coalesce(r.address, u.email) as address,
  u.phone, r.channels, ${hearsPrivateText} as "hearsPrivate", coalesce(u.locale, c.locale) as locale,
  coalesce(u.timezone, c.timezone) as timezone, s.quiet_from as "quietFrom", s.quiet_to as "quietTo"
from ${recipientsText}
join companies c on c.company_id = r.company_id
left join notification_settings s on s.company_id = r.company_id and s.user_id = r.user_id
where (r.company_id, r.alarm_id) in (select * from unnest($1::int4[], $2::int8[]))
  and ${isToldText}`

/** The recipients of alarms: people who may still see them, and raw addresses. */
export async function readRecipients(client: Client, alarms: readonly { companyId: number; alarmId: string }[]) {
  const values = [alarms.map(({ companyId }) => companyId), alarms.map(({ alarmId }) => alarmId)]
  return (await client.query<Recipient>({ name: 'alarm_recipients', text: recipientsSql, values })).rows
}

/** The tier of those who look after a trigger: they are told of that, whatever lists they are in. */
export const assigneeTier = 0

// By mail too, unless the alarm's lists have them without it.
const assigneesSql = `
select u.company_id as "companyId", x.alarm_id as "alarmId", ${assigneeTier} as tier, u.id as "userId", u.email as address, u.phone,
  case when coalesce((select bool_or('mail' = any(r.channels)) from alarm_recipients r
    where r.company_id = x.company_id and r.alarm_id = x.alarm_id and r.user_id = u.id), true)
    then array['app', 'mail'] else array['app'] end as channels,
  u.role = 'admin' as "hearsPrivate", u.locale, u.timezone, s.quiet_from as "quietFrom", s.quiet_to as "quietTo"
from (select distinct * from unnest($1::int4[], $2::int8[], $3::int8[]) as x (company_id, alarm_id, user_id)) x
join users u on u.company_id = x.company_id and u.id = x.user_id
left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'
left join notification_settings s on s.company_id = u.company_id and s.user_id = u.id
where ${seesAlarmsText}`

/** The people to whom triggers were assigned, as far as they may still see alarms. */
export async function readAssignees(client: Client, events: readonly WaitingEvent[]): Promise<Recipient[]> {
  const assigned = events.filter(({ toUser = null }) => toUser !== null)
  if (assigned.length === 0) return []
  const values = [
    assigned.map(({ companyId }) => companyId),
    assigned.map(({ alarmId }) => alarmId),
    assigned.map(({ toUser }) => toUser),
  ]
  return (await client.query<Recipient>(assigneesSql, values)).rows
}

/** The part of an event that a message needs. */
export function alertOf(event: WaitingEvent, nearestTownName: (lat: number, lon: number) => string | null): Alert {
  const condition = event.condition?.split(':')[0] ?? ''
  const scale = condition === 'noData' ? 1 : 100
  const value = (stored: number | null) => (stored === null ? null : stored / scale)
  return {
    event: event.kind,
    severity: event.severity,
    alarm: event.alarmName,
    device: event.names?.device ?? '',
    condition,
    fence: event.names?.fence ?? null,
    limit: value(event.limit),
    cumulative: event.cumulative,
    value: value(event.value),
    peak: value(event.peak),
    latest: value(event.latest ?? null),
    since: event.breachAt ?? event.at,
    normalAt: event.normalAt,
    place: event.position && nearestTownName(event.position.lat, event.position.lon),
    late: event.late,
  }
}
