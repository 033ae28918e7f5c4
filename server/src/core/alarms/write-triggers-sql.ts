import { changesText, columnsOf, isNewsText, isText, type LifeText, nextText } from './trigger-sql.ts'

// The statements by which the pipeline writes what became of triggers in a batch: `$1` is its rows as JSON, `$2` the time.

const at = (column: string) => `to_timestamp(t.${column} / 1000)`
const columns = `as t ("companyId" int4, "alarmId" int8, "deviceId" int4, id int8, condition text, "breachAt" float8,
  "dueAt" float8, "openedAt" float8, "normalAt" float8, "limit" int4, value int4, peak int4, "peakAt" float8, fence text,
  cumulative jsonb, position jsonb, "worseBy" int4, "isLate" bool, "isAmended" bool)`
const now = 'to_timestamp($2::float8 / 1000)'
// A firing that opened and was over at once does both.
const steps = (isNew: string, before?: LifeText) =>
  nextText(
    [
      ['open', `${isNew} and t."openedAt" is not null`],
      ['recover', 't."normalAt" is not null'],
    ],
    now,
    before,
  )
const withdrawn = nextText([['withdraw', 'true']], now, columnsOf('x'))
const updated = steps(isText('pending', 'x'), columnsOf('x'))
// isWorse of domain/worse.ts.
const isWorse = `(${isText('resolvedOutside', 'x')} and t."normalAt" is null and abs(t.peak - x.limit_value) - abs(x.resolved_peak - x.limit_value) > t."worseBy")`
const recurs = `(${isText('recovered', 'x')} and t."normalAt" is null)`
const again = nextText(
  [
    ['worsen', isWorse],
    ['recur', recurs],
  ],
  now,
  { ...columnsOf('x'), ...updated },
)
const firesAgain = `(${isWorse} or ${recurs})`
const inserted = steps('true', { shelved: 'false', remind_at: 'null::timestamptz', escalate_at: 'null::timestamptz' })

/**
 * Locks the alarms of triggers: until the transaction ends no snooze of theirs begins or ends, which would miss a trigger that is not there
 * yet. Alarms are locked before triggers, in one order.
 */
export const lockAlarmsSql = `
select a.id from alarms a
where (a.company_id, a.id) in (select t."companyId", t."alarmId" from jsonb_to_recordset($1::jsonb) ${columns})
order by a.company_id, a.id for share`

export const goneSql = `
with t as (select * from jsonb_to_recordset($1::jsonb) ${columns}),
deleted as (delete from alarm_triggers x using t where t."openedAt" is null and x.company_id = t."companyId" and x.id = t.id)
update alarm_triggers x set ${changesText(withdrawn, 'x')}
from t where t."openedAt" is not null and x.company_id = t."companyId" and x.id = t.id`

export const updateSql = `
update alarm_triggers x set breach_at = ${at('"breachAt"')}, due_at = ${at('"dueAt"')}, opened_at = ${at('"openedAt"')},
  normal_at = ${at('"normalAt"')}, value = t.value, peak = t.peak, peak_at = ${at('"peakAt"')},
  recorded_at = case when t."openedAt" is not null then coalesce(x.recorded_at, ${now}) end,
  normal_recorded_at = case when t."normalAt" is not null then coalesce(x.normal_recorded_at, ${now}) end,
  amended_at = case when t."isAmended" then ${now} else x.amended_at end,
  late = case when ${isText('recorded', 'x')} then x.late else t."isLate" end,
  acknowledged_at = ${again.acknowledged_at}, resolved_at = ${again.resolved_at}, escalated_at = ${again.escalated_at},
  acknowledged_by = case when ${firesAgain} then null else x.acknowledged_by end,
  resolved_by = case when ${firesAgain} then null else x.resolved_by end,
  refired_at = case when ${firesAgain} then ${now} else x.refired_at end,
  shelved = ${again.shelved}, remind_at = ${again.remind_at}, escalate_at = ${again.escalate_at}
from jsonb_to_recordset($1::jsonb) ${columns}
join alarms a on a.company_id = t."companyId" and a.id = t."alarmId"
join alarm_triggers before on before.company_id = t."companyId" and before.id = t.id
where x.company_id = t."companyId" and x.id = t.id
returning x.id, x.refired_at is distinct from before.refired_at as "firesAgain"`

export const insertSql = `
insert into alarm_triggers (company_id, alarm_id, device_id, condition, severity, breach_at, due_at, opened_at, normal_at,
  recorded_at, normal_recorded_at, limit_value, value, peak, peak_at, names, cumulative, position, late, shelved, remind_at, escalate_at)
select t."companyId", t."alarmId", t."deviceId", t.condition, a.severity, ${at('"breachAt"')}, ${at('"dueAt"')},
  ${at('"openedAt"')}, ${at('"normalAt"')}, case when t."openedAt" is not null then ${now} end,
  case when t."normalAt" is not null then ${now} end, t."limit", t.value, t.peak, ${at('"peakAt"')},
  jsonb_strip_nulls(jsonb_build_object('alarm', a.name, 'device', d.name, 'fence', t.fence)), nullif(t.cumulative, 'null'), t.position, t."isLate",
  ${inserted.shelved}, ${inserted.remind_at}, ${inserted.escalate_at}
from jsonb_to_recordset($1::jsonb) ${columns}
join alarms a on a.company_id = t."companyId" and a.id = t."alarmId" and a.archived_at is null
join devices d on d.company_id = t."companyId" and d.id = t."deviceId"
returning id, company_id || ':' || device_id as device, alarm_id || '/' || condition as key,
  (extract(epoch from breach_at) * 1000)::float8 as "breachAt"`

export const eventsSql = `
insert into alarm_events (company_id, kind, alarm_id, trigger_id, at)
select e."companyId", e.kind, e."alarmId", e.id, ${now}
from jsonb_to_recordset($1::jsonb) as e ("companyId" int4, kind text, "alarmId" int8, id int8)
join alarms a on a.company_id = e."companyId" and a.id = e."alarmId"
join alarm_triggers t on t.company_id = e."companyId" and t.id = e.id
where ${isNewsText(['open', 'recover', 'withdraw', 'worsen'], now)}`
