import { keyOf } from '../../domain/watched-alarm.ts'
import type { Batch } from '../batch.ts'

const ms = (column: string) => `to_timestamp(o.${column} / 1000)`
const columns = `as o ("companyId" int4, "deviceId" int4, "alarmId" int8, condition text, "countedFrom" float8, since float8, spans jsonb)`

const keptSql = `
insert into alarm_outside (company_id, device_id, alarm_id, condition, counted_from, since, spans)
select o."companyId", o."deviceId", o."alarmId", o.condition, ${ms('"countedFrom"')}, ${ms('since')}, o.spans
from jsonb_to_recordset($1::jsonb) ${columns}
on conflict (company_id, device_id, alarm_id, condition) do update
  set counted_from = excluded.counted_from, since = excluded.since, spans = excluded.spans`
const goneSql = `
delete from alarm_outside x using jsonb_to_recordset($1::jsonb) ${columns}
where x.company_id = o."companyId" and x.device_id = o."deviceId" and x.alarm_id = o."alarmId" and x.condition = o.condition`

/** Writes how the time outside changed that cumulative alarms count. */
export async function writeOutside({ client, outside }: Batch): Promise<void> {
  const rows = outside.map(({ device, alarmId, condition, counted }) => ({
    companyId: device.companyId,
    deviceId: device.id,
    alarmId,
    condition,
    ...counted,
  }))
  const run = async (name: string, text: string, wanted: typeof rows) => {
    if (wanted.length > 0) await client.query({ name, text, values: [JSON.stringify(wanted)] })
  }
  await run(
    'gone_outside',
    goneSql,
    rows.filter(({ spans }) => spans === undefined),
  )
  await run(
    'write_outside',
    keptSql,
    rows.filter(({ spans }) => spans !== undefined),
  )
}

/** Notes in the states what the table has now: for the lane, once the batch is committed. */
export function rememberOutside({ outside, states }: Batch): void {
  for (const { device, alarmId, condition, counted } of outside) {
    const stored = states.get(device.key)?.alarms.totals
    if (counted) stored?.set(keyOf(alarmId, condition), counted)
    else stored?.delete(keyOf(alarmId, condition))
  }
}
