-- Devices that got readings from longer ago than what is looked at by routine: from when on their sessions are to be
-- settled again. writes: how often it was written, so that nothing is taken for settled that came meanwhile.
create table late_readings (
  company_id int4 not null,
  device_id int4 not null,
  since timestamptz not null,
  writes int4 not null default 1,
  primary key (company_id, device_id)
);
call isolate('late_readings', 'select', 'select, insert, update, delete');
