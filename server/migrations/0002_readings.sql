-- Readings as integers: 8.1::real > 8.1 is true and would be a false excursion. Hundredths of a degree and of a percent,
-- 1e-7 degrees of latitude and longitude. Partitions by month are made by the store, ahead of the insert, and have no
-- grants: reading one directly would bypass the policy of this table. No foreign keys or triggers: this is the hot path.
create table readings (
  measured_at timestamptz not null,
  received_at timestamptz not null,
  company_id int4 not null,
  device_id int4 not null,
  temperature_centi int2,
  humidity_centi int2,
  light_lux int4,
  battery_pct int2,
  lat_e7 int4,
  lon_e7 int4,
  extra jsonb,
  primary key (company_id, device_id, measured_at)
) partition by range (measured_at);
call isolate('readings', 'select', 'select, insert');

-- One row per device and hour with at least one reading. A reading belongs, with all the time it held, to the hour it was
-- measured in; it holds until the next one of its measure, at most 3 intervals; the newest has not held yet.
-- covered_ms: time held. gap_ms: the longest wait for a next reading. spoil_sum: held ms * exp(-10000 K / T), for the mean
-- kinetic temperature, summed in the order of time.
create table readings_hourly (
  company_id int4 not null,
  device_id int4 not null,
  bucket timestamptz not null,
  n int4 not null,
  temperature_n int4 not null default 0,
  temperature_min_centi int2,
  temperature_max_centi int2,
  temperature_sum_centi int8 not null default 0,
  temperature_covered_ms int8 not null default 0,
  temperature_gap_ms int8 not null default 0,
  temperature_spoil_sum float8 not null default 0,
  humidity_n int4 not null default 0,
  humidity_min_centi int2,
  humidity_max_centi int2,
  humidity_sum_centi int8 not null default 0,
  humidity_covered_ms int8 not null default 0,
  humidity_gap_ms int8 not null default 0,
  primary key (company_id, device_id, bucket)
) with (fillfactor = 70);
call isolate('readings_hourly', 'select', 'select, insert, update, delete');

-- The newest value of each kind with its time; a clock more than 10 minutes ahead never gets here, it sets clock_ahead_*.
-- measured_at is null while a device has sent nothing but such readings.
-- tail_*: the newest reading of each measure, whatever its clock: where the pipeline goes on. Not for display.
create table device_latest (
  company_id int4 not null,
  device_id int4 not null,
  measured_at timestamptz,
  received_at timestamptz,
  temperature_centi int2,
  temperature_at timestamptz,
  humidity_centi int2,
  humidity_at timestamptz,
  light_lux int4,
  light_at timestamptz,
  battery_pct int2,
  battery_at timestamptz,
  lat_e7 int4,
  lon_e7 int4,
  accuracy_m int4,
  position_at timestamptz,
  clock_ahead_s int4,
  clock_ahead_at timestamptz,
  temperature_tail_centi int2,
  temperature_tail_at timestamptz,
  humidity_tail_centi int2,
  humidity_tail_at timestamptz,
  primary key (company_id, device_id)
) with (fillfactor = 50);
call isolate('device_latest', 'select', 'select, insert, update');

-- The interval a device measures at, with its history: what may hold and what is a gap is judged by the interval of then.
create table device_intervals (
  company_id int4 not null,
  device_id int4 not null,
  valid_from timestamptz not null,
  interval_s int4 not null,
  primary key (company_id, device_id, valid_from),
  foreign key (company_id, device_id) references devices
);
call isolate('device_intervals', 'select, insert, update', 'select, insert, update');

-- Consecutive readings outside the limits. Open while end_at is null. centi_ms / 6e6 are degree-minutes (percent-minutes).
-- late: recorded more than 3 intervals after it began, because its readings came late. amended_at: changed by late data after it was recorded.
-- last_*: the newest reading outside, its distance from the limit and how long it may hold: where the pipeline goes on.
create table excursions (
  company_id int4 not null,
  id int8 generated always as identity,
  device_id int4 not null,
  measure text not null check (measure in ('temperature', 'humidity')),
  side text not null check (side in ('above', 'below')),
  start_at timestamptz not null,
  end_at timestamptz,
  ended_by text check (ended_by in ('inside', 'side', 'gap')),
  readings int4 not null,
  peak_centi int2 not null,
  peak_at timestamptz not null,
  centi_ms int8 not null,
  last_at timestamptz not null,
  last_deviation_centi int4 not null,
  last_hold_ms int8 not null,
  late boolean not null default false,
  amended_at timestamptz,
  recorded_at timestamptz not null,
  primary key (company_id, id),
  check ((end_at is null) = (ended_by is null))
);
create unique index excursions_start on excursions (company_id, device_id, measure, start_at);
create index excursions_recent on excursions (company_id, start_at desc);
create index excursions_open on excursions (company_id, device_id) where end_at is null;
call isolate('excursions', 'select', 'select, insert, update, delete');

-- What could not become a reading, raw, with the reason: `code` is one of contract/src/ingest.ts. company_id is null where
-- nobody owned the hardware at that time. Acknowledged all the same: a poison message must not block a queue.
create table ingest_rejected (
  company_id int4,
  id int8 generated always as identity,
  device_id int4,
  imei text not null,
  protocol text not null check (protocol in ('http', 'mqtt')),
  received_at timestamptz not null,
  measured_at timestamptz,
  code text not null,
  reason jsonb not null default '{}',
  payload bytea not null,
  unique nulls not distinct (company_id, id)
);
create index ingest_rejected_recent on ingest_rejected (company_id, received_at desc);
call isolate('ingest_rejected', 'select', 'select, insert, delete');

-- Wishes until the device confirms. A newer wish of the same kind replaces one the device has not answered.
-- value: interval {intervalS}, transmission {state: started|paused}, power {state: on|off}, flight_mode {state: on|off, from?, until?}.
create table device_commands (
  company_id int4 not null,
  id int8 generated always as identity,
  device_id int4 not null,
  kind text not null check (kind in ('interval', 'transmission', 'power', 'flight_mode')),
  value jsonb not null,
  created_at timestamptz not null default now(),
  created_by int8,
  sent_at timestamptz,
  acked_at timestamptz,
  ok boolean,
  superseded_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, device_id) references devices
);
create index device_commands_waiting on device_commands (company_id, device_id) where acked_at is null and superseded_at is null;
call isolate('device_commands', 'select, insert, update', 'select, update');

-- What the pipeline keeps in memory and must drop: 'imei:<imei>' or 'device:<company>:<device>'. Every batch looks for rows
-- of transactions its last snapshot did not see, so a change applies to the very next reading. Tenantless by design.
create table settings_changes (
  xid xid8 not null default pg_current_xact_id(),
  subject text not null,
  at timestamptz not null default now()
);
create index settings_changes_xid on settings_changes (xid);
grant insert on settings_changes to app;
grant select, insert, delete on settings_changes to road;

create function note_imei_change() returns trigger language plpgsql as $$
begin
  insert into settings_changes (subject) select distinct 'imei:' || imei from changed;
  return null;
end $$;
create function note_device_change() returns trigger language plpgsql as $$
begin
  insert into settings_changes (subject) select distinct 'device:' || company_id || ':' || device_id from changed;
  return null;
end $$;
create trigger hardware_changed after update on hardware
  referencing new table as changed for each statement execute function note_imei_change();
create trigger assignments_added after insert on assignments
  referencing new table as changed for each statement execute function note_imei_change();
create trigger assignments_changed after update on assignments
  referencing new table as changed for each statement execute function note_imei_change();
create trigger device_limits_added after insert on device_limits
  referencing new table as changed for each statement execute function note_device_change();
create trigger device_limits_changed after update on device_limits
  referencing new table as changed for each statement execute function note_device_change();
create trigger device_intervals_added after insert on device_intervals
  referencing new table as changed for each statement execute function note_device_change();
create trigger device_intervals_changed after update on device_intervals
  referencing new table as changed for each statement execute function note_device_change();

create trigger device_commands_added after insert on device_commands
  referencing new table as changed for each statement execute function note_device_change();
create trigger device_commands_changed after update on device_commands
  referencing new table as changed for each statement execute function note_device_change();

create function keep_interval_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into device_intervals (company_id, device_id, valid_from, interval_s)
      values (new.company_id, new.id, '-infinity', new.interval_s);
  elsif new.interval_s <> old.interval_s then
    insert into device_intervals (company_id, device_id, valid_from, interval_s)
      values (new.company_id, new.id, now(), new.interval_s)
      on conflict (company_id, device_id, valid_from) do update set interval_s = excluded.interval_s;
  end if;
  return null;
end $$;
create trigger devices_interval after insert or update on devices
  for each row execute function keep_interval_history();

-- The broker tells a connected device at once; the table stays the truth.
create function announce_command() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_commands', new.company_id || ':' || new.device_id);
  return null;
end $$;
create trigger device_commands_announced after insert or update on device_commands
  for each row execute function announce_command();
