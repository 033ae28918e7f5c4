-- The contents that were chosen for a report, in the place of with_readings; alarm_ids: the alarms that it tells of.
alter table device_reports add column contents text[] not null default '{stats,charts,excursions,readings}',
  add column alarm_ids int8[] not null default '{}';
alter table group_reports add column contents text[] not null default '{stats,charts,excursions}',
  add column alarm_ids int8[] not null default '{}';
alter table device_reports no force row level security;
update device_reports set contents = '{stats,charts,excursions}' where not with_readings;
alter table device_reports force row level security;
alter table device_reports drop column with_readings;

-- Seconds that each picture of a wall screen stays; null is the usual time.
alter table share_links add column turn_s int2 check (turn_s between 5 and 600);
