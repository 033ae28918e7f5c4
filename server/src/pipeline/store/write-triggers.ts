import {
  changesText,
  columnsOf,
  eventOf,
  isNewsText,
  isText,
  type LifeText,
  nextText,
} from '../../core/alarms/trigger-sql.ts'
import type { Firing } from '../../domain/alarm-firing.ts'
import { keyOf } from '../../domain/watched-alarm.ts'
import type { Batch } from '../batch.ts'
import type { TriggerWrite } from '../evaluate/writes.ts'

const at = (column: string) => `to_timestamp(t.${column} / 1000)`
const columns = `as t ("companyId" int4, "alarmId" int8, "deviceId" int4, id int8, condition text, "breachAt" float8,
  "dueAt" float8, "openedAt" float8, "normalAt" float8, "limit" int4, value int4, peak int4, "peakAt" float8, fence text,
  cumulative jsonb, position jsonb, "isLate" bool, "isAmended" bool)`
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
const inserted = steps('true', { shelved: 'false', remind_at: 'null::timestamptz', escalate_at: 'null::timestamptz' })

const goneSql = `
with t as (select * from jsonb_to_recordset($1::jsonb) ${columns}),
deleted as (delete from alarm_triggers x using t where t."openedAt" is null and x.company_id = t."companyId" and x.id = t.id)
update alarm_triggers x set ${changesText(withdrawn, 'x')}
from t where t."openedAt" is not null and x.company_id = t."companyId" and x.id = t.id`

const updateSql = `
update alarm_triggers x set breach_at = ${at('"breachAt"')}, due_at = ${at('"dueAt"')}, opened_at = ${at('"openedAt"')},
  normal_at = ${at('"normalAt"')}, value = t.value, peak = t.peak, peak_at = ${at('"peakAt"')},
  recorded_at = case when t."openedAt" is not null then coalesce(x.recorded_at, ${now}) end,
  normal_recorded_at = case when t."normalAt" is not null then coalesce(x.normal_recorded_at, ${now}) end,
  amended_at = case when t."isAmended" then ${now} else x.amended_at end,
  late = case when ${isText('recorded', 'x')} then x.late else t."isLate" end,
  shelved = ${updated.shelved}, remind_at = ${updated.remind_at}, escalate_at = ${updated.escalate_at}
from jsonb_to_recordset($1::jsonb) ${columns}
join alarms a on a.company_id = t."companyId" and a.id = t."alarmId"
where x.company_id = t."companyId" and x.id = t.id`

const insertSql = `
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

const eventsSql = `
insert into alarm_events (company_id, kind, alarm_id, trigger_id, at)
select e."companyId", e.kind, e."alarmId", e.id, ${now}
from jsonb_to_recordset($1::jsonb) as e ("companyId" int4, kind text, "alarmId" int8, id int8)
join alarms a on a.company_id = e."companyId" and a.id = e."alarmId"
join alarm_triggers t on t.company_id = e."companyId" and t.id = e.id
where ${isNewsText(['open', 'recover', 'withdraw'], now)}`

const sidesSql = `
insert into alarm_fence_sides (company_id, device_id, fence, side, since)
select s."companyId", s."deviceId", s.fence, s.side, to_timestamp(s.since / 1000)
from jsonb_to_recordset($1::jsonb) as s ("companyId" int4, "deviceId" int4, fence text, side text, since float8)
on conflict (company_id, device_id, fence) do update set side = excluded.side, since = excluded.since`

interface Inserted {
  id: string
  device: string
  key: string
  breachAt: number
}

/** Writes what became of triggers, with what people are to hear of it. Those that end go before those that begin. */
export async function writeTriggers(batch: Batch): Promise<void> {
  if (batch.sides.length > 0) {
    const sides = batch.sides.map(({ device, ...side }) => ({
      companyId: device.companyId,
      deviceId: device.id,
      ...side,
    }))
    await batch.client.query({ name: 'write_sides', text: sidesSql, values: [JSON.stringify(sides)] })
  }
  if (batch.triggers.length === 0) return
  const of = (...kinds: TriggerWrite['kind'][]) => batch.triggers.filter(({ kind }) => kinds.includes(kind))
  const run = async <T extends object>(name: string, text: string, writes: readonly TriggerWrite[]) => {
    if (writes.length === 0) return []
    const rows = JSON.stringify(writes.map(rowOf))
    return (await batch.client.query<T>({ name, text, values: [rows, batch.now] })).rows
  }
  await run('gone_triggers', goneSql, of('delete', 'withdraw'))
  await run('update_triggers', updateSql, of('update'))
  const inserts = of('insert')
  const known = new Map(
    inserts.map((write) => [placeOf(write.device.key, keyOf(write.alarm.id, write.condition), write.firing), write]),
  )
  for (const row of await run<Inserted>('insert_triggers', insertSql, inserts)) {
    const write = known.get(placeOf(row.device, row.key, row))
    if (write) write.id = row.id
  }
  await writeEvents(batch)
}

const placeOf = (device: string, key: string, { breachAt }: Pick<Firing, 'breachAt'>) => `${device} ${key} ${breachAt}`

async function writeEvents({ client, triggers, now }: Batch) {
  const events = triggers.flatMap((write) => {
    const act = actOf(write)
    if (write.id === '' || act === null) return []
    return [{ companyId: write.device.companyId, kind: eventOf(act), alarmId: write.alarm.id, id: write.id }]
  })
  if (events.length > 0)
    await client.query({ name: 'write_alarm_events', text: eventsSql, values: [JSON.stringify(events), now] })
}

/** The act of a write that people may be told of; of a trigger that opened and was over at once, that it opened. */
function actOf({ kind, stored, firing }: TriggerWrite): 'open' | 'recover' | 'withdraw' | null {
  if (kind === 'delete' || firing.openedAt === null) return null
  if (kind === 'withdraw') return 'withdraw'
  if ((stored?.openedAt ?? null) === null) return 'open'
  return stored?.normalAt === null && firing.normalAt !== null ? 'recover' : null
}

const rowOf = (write: TriggerWrite) => ({
  companyId: write.device.companyId,
  alarmId: write.alarm.id,
  deviceId: write.device.id,
  id: write.id || null,
  condition: write.condition,
  breachAt: write.firing.breachAt,
  dueAt: write.firing.dueAt,
  openedAt: write.firing.openedAt,
  normalAt: write.firing.normalAt,
  limit: write.limit,
  value: write.firing.value,
  peak: write.firing.peak,
  peakAt: write.firing.peakAt,
  fence: write.fence,
  cumulative: write.cumulative,
  position: write.position,
  isLate: write.isLate,
  isAmended: write.isAmended,
})

/** Notes in the states what the tables have now: for the lane, once the batch is committed. */
export function rememberTriggers({ triggers, sides, states }: Batch): void {
  for (const { kind, device, alarm, condition, id, firing } of triggers) {
    const stored = states.get(device.key)?.alarms.stored
    const key = keyOf(alarm.id, condition)
    if (!stored) continue
    const isCurrent = (kind === 'insert' || kind === 'update') && firing.normalAt === null && id !== ''
    if (isCurrent) stored.set(key, { id, firing })
    else if (stored.get(key)?.id === id) stored.delete(key)
  }
  for (const { device, fence, side } of sides) states.get(device.key)?.alarms.sides.set(fence, side)
}
