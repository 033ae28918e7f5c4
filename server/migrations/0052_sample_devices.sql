-- A device whose readings the server makes up, so that people can try everything before they have a tracker. One for a company; it is
-- removed with all that hangs on it once this time is over. Null for every real device.
alter table devices add column sample_until timestamptz;
create unique index devices_sample on devices (company_id) where sample_until is not null;

-- Readings, records and devices are never deleted, but those of a sample: the policies are the wall, whatever a query asks for.
grant delete on devices, readings, device_latest, records, trigger_comments to pipeline;
create policy samples_deleted on devices as restrictive for delete to pipeline using (sample_until is not null);
create policy samples_deleted on readings as restrictive for delete to pipeline using (exists (select from devices d
  where d.company_id = readings.company_id and d.id = readings.device_id and d.sample_until is not null));
create policy samples_deleted on device_latest as restrictive for delete to pipeline using (exists (select from devices d
  where d.company_id = device_latest.company_id and d.id = device_latest.device_id and d.sample_until is not null));
create policy samples_deleted on trigger_comments as restrictive for delete to pipeline using (exists (select from alarm_triggers t
  join devices d on d.company_id = t.company_id and d.id = t.device_id
  where t.company_id = trigger_comments.company_id and t.id = trigger_comments.trigger_id and d.sample_until is not null));
-- A record of a sample has no other device.
create policy samples_deleted on records as restrictive for delete to pipeline using (exists (select from record_devices m
  join devices d on d.company_id = m.company_id and d.id = m.device_id
  where m.company_id = records.company_id and m.record_id = records.id and d.sample_until is not null));

-- The files of a record are removed with it.
create policy pipeline_all on record_attachments to pipeline using (true) with check (true);
grant select on record_attachments to pipeline;

-- The rows of a device, or record, that is deleted go with it. That a device is in a record keeps it from being deleted.
do $$
declare
  one record;
begin
  for one in select conrelid::regclass as target, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and conparentid = 0 and (confrelid = 'records'::regclass
      or (confrelid = 'devices'::regclass and conrelid <> 'record_devices'::regclass))
  loop
    execute format('alter table %s drop constraint %I, add constraint %I %s on delete cascade', one.target, one.name, one.name, one.definition);
  end loop;
end $$;
