import { deviceSubjectSql } from '../../core/devices/settings-changes.ts'
import type { Batch } from '../batch.ts'
import { booleans, numbers, texts } from './pg-arrays.ts'

// Hardware that was taken away answers for nobody, and hardware in use for its owner alone. A command that the device carried out becomes the device's setting; one it refused stays in the table as refused.
const sql = `
with answered as (
  update device_commands c set acked_at = coalesce(a.at, now()), ok = a.ok
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bool[]) as a (imei, command_id, at, ok)
  join assignments own on own.imei = a.imei and own.valid_to is null
  where own.company_id = (select first.company_id from assignments first
      where first.imei = own.imei and first.valid_to is null order by first.probe, first.valid_from limit 1)
    and c.company_id = own.company_id and c.device_id = own.device_id and c.id = a.command_id::int8 and c.acked_at is null
  returning c.company_id, c.device_id, c.kind, c.value, c.ok),
changed as (update devices d set updated_at = now(),
  interval_s = coalesce((select (value ->> 'intervalS')::int4 from answered n where n.kind = 'interval' and n.ok
    and (n.company_id, n.device_id) = (d.company_id, d.id) limit 1), interval_s),
  transmission = coalesce((select value ->> 'state' from answered n where n.kind = 'transmission' and n.ok
    and (n.company_id, n.device_id) = (d.company_id, d.id) limit 1), transmission),
  power = coalesce((select value ->> 'state' from answered n where n.kind = 'power' and n.ok
    and (n.company_id, n.device_id) = (d.company_id, d.id) limit 1), power),
  flight_mode = coalesce((select value ->> 'state' from answered n where n.kind = 'flight_mode' and n.ok
    and (n.company_id, n.device_id) = (d.company_id, d.id) limit 1), flight_mode)
where (d.company_id, d.id) in (select company_id, device_id from answered where ok)),
noted as (insert into settings_changes (subject)
  select distinct ${deviceSubjectSql('company_id', 'device_id')} from answered)
select distinct company_id as "companyId", device_id as "deviceId" from answered`

/** Takes the devices' answers to their commands; answers to unknown or other devices' commands change nothing. */
export async function applyAcks(batch: Batch): Promise<void> {
  const { client, parts } = batch
  const acks = parts.flatMap(({ acks, message }) => acks.map((ack) => ({ ...ack, imei: message.tracker.imei })))
  if (acks.length === 0) return
  const values = [
    texts('text', acks, (ack) => ack.imei),
    texts('text', acks, (ack) => ack.commandId),
    numbers('timestamptz', acks, (ack) => ack.at),
    booleans(acks, (ack) => ack.ok),
  ]
  const { rows } = await client.query<Batch['answered'][number]>({ name: 'apply_acks', text: sql, values })
  batch.answered = rows
}
