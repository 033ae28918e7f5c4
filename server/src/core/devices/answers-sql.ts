import { deviceSubjectSql } from './settings-changes.ts'

/**
 * Takes the answers of devices to their commands, in the batch of the pipeline. Hardware that was taken away answers for nobody, and
 * hardware in use for its owner alone. A command that the device carried out becomes the device's setting; one it refused stays in the
 * table as refused.
 */
export const answersSql = `
with answered as (
  update device_commands c set acked_at = coalesce(a.at, now()), ok = a.ok
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bool[]) as a (imei, command_id, at, ok)
  join assignments own on own.imei = a.imei and own.valid_to is null
  where own.company_id = (select first.company_id from assignments first
      where first.imei = own.imei and first.valid_to is null order by first.probe, first.valid_from limit 1)
    and c.company_id = own.company_id and c.device_id = own.device_id and c.id = a.command_id::int8 and c.acked_at is null
  returning c.company_id, c.device_id, c.id, c.kind, c.value, c.ok),
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
select company_id as "companyId", device_id as "deviceId", id::text as "commandId", kind, ok from answered`
