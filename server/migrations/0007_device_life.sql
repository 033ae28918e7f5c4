-- Confirmed by the device, as power and transmission are.
alter table devices add column flight_mode text not null default 'off' check (flight_mode in ('on', 'off'));

-- Which licences a device uses: a place of the licence is taken until the device goes out of use. Time that was left on
-- an earlier licence went over to the device when it got another, so that one's place stays taken.
create table licence_uses (
  company_id int4 not null,
  licence_id int4 not null,
  device_id int4 not null,
  added_at timestamptz not null default now(),
  primary key (company_id, licence_id, device_id),
  foreign key (company_id, licence_id) references licences,
  foreign key (company_id, device_id) references devices
);
create index licence_uses_device on licence_uses (company_id, device_id);
-- Only road sees every company's devices.
grant insert on licence_uses to road;
set local role road;
insert into licence_uses (company_id, licence_id, device_id, added_at)
  select company_id, licence_id, id, created_at from devices where licence_id is not null and decommissioned_at is null;
reset role;
revoke insert on licence_uses from road;
call isolate('licence_uses', 'select, insert, delete', 'select');

create function keep_licence_uses() returns trigger language plpgsql as $$
begin
  insert into licence_uses (company_id, licence_id, device_id, added_at)
    values (new.company_id, new.licence_id, new.id, new.updated_at) on conflict do nothing;
  return null;
end $$;
create trigger devices_licence_added after insert on devices
  for each row when (new.licence_id is not null) execute function keep_licence_uses();
create trigger devices_licence_changed after update of licence_id on devices
  for each row when (new.licence_id is not null and new.licence_id is distinct from old.licence_id)
  execute function keep_licence_uses();

-- Every use of flight mode, by hand or by flight. At most one per device is not over.
create table flight_modes (
  company_id int4 not null,
  id int8 generated always as identity,
  device_id int4 not null,
  kind text not null check (kind in ('direct', 'flight')),
  carrier_code text,
  flight_number text,
  departs_at timestamptz,
  state text not null check (state in ('awaiting', 'on', 'off')),
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, device_id) references devices,
  check ((kind = 'flight') = (carrier_code is not null and flight_number is not null and departs_at is not null))
);
create unique index flight_modes_current on flight_modes (company_id, device_id) where state <> 'off';
create index flight_modes_due on flight_modes (departs_at) where state = 'awaiting';
call isolate('flight_modes', 'select, insert, update', 'select');

-- A device's stretches of use. Those it made itself are kept up to date from its readings and its power; late readings
-- may lengthen, join or add some. Open while ended_at is null.
create table device_sessions (
  company_id int4 not null,
  id int8 generated always as identity,
  device_id int4 not null,
  name text,
  opened_by text not null check (opened_by in ('device', 'hand')),
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  ended_by text check (ended_by in ('power', 'silence', 'hand', 'decommissioned')),
  created_at timestamptz not null,
  created_by text,
  primary key (company_id, id),
  foreign key (company_id, device_id) references devices,
  check ((ended_at is null) = (ended_by is null))
);
create index device_sessions_recent on device_sessions (company_id, started_at desc);
create index device_sessions_device on device_sessions (company_id, device_id, started_at desc);
call isolate('device_sessions', 'select, insert, update', 'select, insert, update, delete');

-- Hardware that comes to a device or leaves it is told what is wished of it now.
create function announce_assignment() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_commands', 'imei:' || new.imei);
  return null;
end $$;
create trigger assignments_announced after insert or update on assignments
  for each row execute function announce_assignment();
