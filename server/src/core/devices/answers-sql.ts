import { deviceSubjectSql } from './settings-changes.ts'

const isSame = (a: string, b: string) => `(${a}.company_id, ${a}.device_id) = (${b}.company_id, ${b}.device_id)`

const wantedOf = (kind: string, field: string) =>
  `(select value ->> '${field}' from newest n where n.kind = '${kind}' and (n.company_id, n.device_id) = (d.company_id, d.id))`

/**
 * Takes the answers of devices to their commands, in the batch of the pipeline. Hardware that was taken away answers for nobody, and
 * hardware in use for its owner alone. The newest command that the device carried out is the device's setting, whatever the order of the
 * answers; one it refused stays in the table as refused. A device answered after the command and before its answer arrived, whatever its
 * clock says.
 */
export const answersSql = `
with answered as (
  update device_commands c set acked_at = least(greatest(coalesce(a.at, a.received_at), c.created_at), a.received_at), ok = a.ok
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bool[], $5::timestamptz[]) as a (imei, command_id, at, ok, received_at)
  join assignments own on own.imei = a.imei and own.valid_to is null
  where own.company_id = (select first.company_id from assignments first
      where first.imei = own.imei and first.valid_to is null order by first.probe, first.valid_from limit 1)
    and c.company_id = own.company_id and c.device_id = own.device_id and c.id = a.command_id::int8 and c.acked_at is null
  returning c.company_id, c.device_id, c.id, c.kind, c.value, c.ok, c.acked_at),
newest as (select distinct on (company_id, device_id, kind) * from answered n
  where ok and not exists (select from device_commands later where ${isSame('later', 'n')} and later.kind = n.kind and later.ok and later.id > n.id)
  order by company_id, device_id, kind, id desc),
changed as (update devices d set updated_at = now(),
  interval_s = coalesce(${wantedOf('interval', 'intervalS')}::int4, interval_s),
  transmission = coalesce(${wantedOf('transmission', 'state')}, transmission),
  power = coalesce(${wantedOf('power', 'state')}, power),
  flight_mode = coalesce(${wantedOf('flight_mode', 'state')}, flight_mode)
where (d.company_id, d.id) in (select company_id, device_id from newest)),
noted as (insert into settings_changes (subject)
  select distinct ${deviceSubjectSql('company_id', 'device_id')} from answered)
select company_id as "companyId", device_id as "deviceId", id::text as "commandId", kind, ok,
  (extract(epoch from acked_at) * 1000)::float8 as "ackedAt" from answered`

/** The newest of these commands about the interval of each device, which it has carried out. */
const newestIntervals = `
(select distinct on (c.company_id, c.device_id) c.company_id, c.device_id, (c.value ->> 'intervalS')::int4 as interval_s, c.acked_at as at
  from unnest($1::int4[], $2::int8[]) as told (company_id, id)
  join device_commands c on c.company_id = told.company_id and c.id = told.id and c.ok
  where not exists (select from device_commands later where ${isSame('later', 'c')} and later.kind = 'interval' and later.ok and later.id > c.id)
  order by c.company_id, c.device_id, c.id desc) n`

/**
 * Lets the history of the interval begin where the device began to measure so: the trigger of table devices knows no other time than that of
 * its transaction. To be run one after the other, after the answers; each has the commands about intervals that were answered.
 */
export const intervalsSql = {
  move_interval: `
update device_intervals i set valid_from = n.at from ${newestIntervals}
where ${isSame('i', 'n')} and i.valid_from = now()
  and not exists (select from device_intervals x where ${isSame('x', 'n')} and x.valid_from = n.at)`,
  override_intervals: `
update device_intervals i set interval_s = n.interval_s from ${newestIntervals} where ${isSame('i', 'n')} and i.valid_from >= n.at`,
  add_intervals: `
insert into device_intervals (company_id, device_id, valid_from, interval_s)
select distinct on (c.company_id, c.device_id, c.acked_at) c.company_id, c.device_id, c.acked_at, (c.value ->> 'intervalS')::int4
from unnest($1::int4[], $2::int8[]) as told (company_id, id)
join device_commands c on c.company_id = told.company_id and c.id = told.id and c.ok
where not exists (select from device_commands later where ${isSame('later', 'c')} and later.kind = 'interval' and later.ok
  and later.id > c.id and later.acked_at <= c.acked_at)
order by c.company_id, c.device_id, c.acked_at, c.id desc
on conflict (company_id, device_id, valid_from) do nothing`,
} as const
