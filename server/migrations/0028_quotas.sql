-- Who asked for a run by hand. Null: the clock, or a run from before this column.
alter table report_runs add column requested_by_id int8;
alter table report_runs drop constraint report_runs_failure_check;
alter table report_runs add constraint report_runs_failure_check
  check (failure in ('notAllowed', 'noDevices', 'tooManyDevices', 'storageFull', 'broken'));

-- Reports that are not built yet are counted at each request.
create index device_reports_under_way on device_reports (company_id) where state in ('waiting', 'building');
create index group_reports_under_way on group_reports (company_id) where state in ('waiting', 'building');
create index report_runs_asked on report_runs (company_id) where kind = 'manual' and state in ('waiting', 'building');

-- What a tracker sent on a day (UTC) that could not be stored: all of it, and how much of it is kept in ingest_rejected.
create table rejected_days (
  company_id int4,
  imei text not null,
  day date not null,
  messages int8 not null default 0,
  kept_rows int4 not null default 0,
  kept_bytes int8 not null default 0,
  unique nulls not distinct (company_id, imei, day)
);
call isolate('rejected_days', 'select', 'select, insert, update, delete');
