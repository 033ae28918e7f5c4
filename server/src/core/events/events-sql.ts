/*
 * The statements that write events, in the transaction of what happened: features run them by `note-events.ts`, the pipeline in its batch. Each
 * writes nothing for a company whose feed is off, and nothing where an event with that key is there.
 */

const feedIsOn = (company: string) => `join event_feeds f on f.company_id = ${company} and f.is_on`
const once = 'on conflict (company_id, event_key) do nothing'

/** `$1`: events as JSON. One of a device gets the name that the device has now. */
export const eventsText = `
insert into company_events (company_id, type, event_key, data, device_ids, group_id, endpoint_id, at)
select e."companyId", e.type, e.key,
  e.data || case when d.id is null then '{}' else jsonb_build_object('deviceId', d.id::text, 'deviceName', d.name) end,
  case when e."deviceId" is null then e."deviceIds" else array[e."deviceId"] end, e."groupId", e."endpointId", e.at
from jsonb_to_recordset($1::jsonb) as e ("companyId" int4, type text, key text, data jsonb, "deviceId" int4, "deviceIds" int4[],
  "groupId" int8, "endpointId" int8, at timestamptz, place int4)
${feedIsOn('e."companyId"')}
left join devices d on d.company_id = e."companyId" and d.id = e."deviceId"
order by e.place
${once}`

const value = (column: string) =>
  `case when t.condition like 'noData%' then t.${column}::numeric else round(t.${column} / 100.0, 2) end`

const isoText = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** `$1`: which triggers, as JSON of `{companyId, id, type}`; `$2`: now, ms since 1970. The key tells one firing from the next;
 * what somebody did is an event only where it was done just now. */
export const triggerEventsText = `
insert into company_events (company_id, type, event_key, data, device_ids, alarm_id, at)
select t.company_id, e.type, concat_ws(':', e.type, t.id, (extract(epoch from coalesce(t.refired_at, t.opened_at)) * 1000)::int8,
    case e.type when 'alarm.normal' then (extract(epoch from t.normal_at) * 1000)::int8 end),
  jsonb_build_object('triggerId', t.id::text, 'alarmId', t.alarm_id::text, 'alarmName', t.names ->> 'alarm',
    'deviceId', t.device_id::text, 'deviceName', t.names ->> 'device', 'condition', split_part(t.condition, ':', 1),
    'severity', t.severity, 'limit', ${value('limit_value')}, 'value', ${value('value')}, 'peak', ${value('peak')},
    'breachAt', ${isoText('t.breach_at')}, 'openedAt', ${isoText('t.opened_at')}, 'normalAt', ${isoText('t.normal_at')},
    'acknowledgedAt', ${isoText('t.acknowledged_at')}, 'acknowledgedBy', t.acknowledged_by ->> 'name',
    'resolvedAt', ${isoText('t.resolved_at')}, 'resolvedBy', t.resolved_by ->> 'name', 'note', t.note, 'isLate', t.late),
  array[t.device_id], t.alarm_id, to_timestamp($2::float8 / 1000)
from jsonb_to_recordset($1::jsonb) as e ("companyId" int4, id int8, type text)
${feedIsOn('e."companyId"')}
join alarm_triggers t on t.company_id = e."companyId" and t.id = e.id and t.opened_at is not null
where case e.type when 'alarm.acknowledged' then t.acknowledged_at = to_timestamp($2::float8 / 1000)
  when 'alarm.resolved' then t.resolved_at = to_timestamp($2::float8 / 1000) else true end
${once}`
