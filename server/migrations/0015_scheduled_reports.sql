-- Reports that come by themselves. weekday 1 is Monday; month_day 31 is the last day of a shorter month; run_time by the clocks of
-- timezone. next_run_at is null while paused. runs_as: who saved it last, whose sight its runs have.
create table reports (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  cadence text not null check (cadence in ('daily', 'weekly', 'monthly')),
  weekday int2 not null check (weekday between 1 and 7),
  month_day int2 not null check (month_day between 1 and 31),
  run_time text not null check (run_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  timezone text not null,
  contents text[] not null check (contents <@ '{stats,charts,excursions,alarms,readings}' and contents <> '{}'),
  formats text[] not null check (formats <@ '{pdf,xlsx,csv}' and formats <> '{}'),
  locale text not null,
  next_run_at timestamptz,
  runs_as int8 not null,
  runs_as_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, runs_as) references users
);
create index reports_name on reports (company_id, lower(name)) where archived_at is null;
create index reports_due on reports (next_run_at) where next_run_at is not null and archived_at is null;
call isolate('reports', 'select, insert, update', 'select, update');

create table report_targets (
  company_id int4 not null,
  report_id int8 not null,
  device_id int4,
  group_id int8,
  check (num_nonnulls(device_id, group_id) = 1),
  unique nulls not distinct (company_id, report_id, device_id, group_id),
  foreign key (company_id, report_id) references reports,
  foreign key (company_id, device_id) references devices,
  foreign key (company_id, group_id) references groups
);
call isolate('report_targets', 'select, insert, delete');

create table report_recipients (
  company_id int4 not null,
  report_id int8 not null,
  user_id int8,
  address text,
  check (num_nonnulls(user_id, address) = 1),
  unique nulls not distinct (company_id, report_id, user_id, address),
  foreign key (company_id, report_id) references reports,
  foreign key (company_id, user_id) references users
);
call isolate('report_recipients', 'select, insert, delete');

-- One building of a report. period_key is its first day in the zone: a scheduled run exists once per report and period, whoever
-- tries to make it how often. period_to is not part of the period. touched_at: when whoever builds it was last alive.
create table report_runs (
  company_id int4 not null,
  id int8 generated always as identity,
  report_id int8 not null,
  kind text not null check (kind in ('scheduled', 'manual')),
  period_key text not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  timezone text not null,
  due_at timestamptz not null,
  state text not null check (state in ('waiting', 'building', 'ready', 'failed', 'skipped')),
  progress int2 not null default 0 check (progress between 0 and 100),
  attempts int2 not null default 0,
  failure text check (failure in ('notAllowed', 'noDevices', 'tooManyDevices', 'broken')),
  requested_by text,
  touched_at timestamptz not null,
  finished_at timestamptz,
  data_as_of timestamptz,
  devices int4,
  readings int4,
  has_private boolean not null default true,
  primary key (company_id, id),
  foreign key (company_id, report_id) references reports
);
create unique index report_runs_once on report_runs (company_id, report_id, period_key) where kind = 'scheduled';
create index report_runs_recent on report_runs (company_id, report_id, due_at desc, id desc);
create index report_runs_under_way on report_runs (touched_at) where state in ('waiting', 'building');
call isolate('report_runs', 'select, insert, update', 'select, insert, update');

-- What a run wrote. report_key as in device_reports. file_key is null once its time of keeping is over: the hash stays.
create table report_files (
  company_id int4 not null,
  id int8 generated always as identity,
  run_id int8 not null,
  report_key text not null check (report_key ~ '^[0-9a-f]{32}$'),
  report_name text not null,
  company_name text not null,
  file_name text not null,
  format text not null check (format in ('pdf', 'xlsx', 'csv')),
  size_bytes int8 not null,
  pages int4,
  data_sha256 bytea not null,
  file_sha256 bytea not null,
  file_key text,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, run_id) references report_runs,
  check (file_key is not null or removed_at is not null)
);
create index report_files_of_run on report_files (company_id, run_id);
create unique index report_files_key on report_files (report_key, company_id);
create index report_files_kept on report_files (created_at) where file_key is not null;
call isolate('report_files', 'select, insert', 'select, update');

-- Who a run is mailed to, in their language; each once.
create table report_mails (
  company_id int4 not null,
  id int8 generated always as identity,
  run_id int8 not null,
  address text not null,
  name text,
  locale text not null,
  sent_at timestamptz,
  primary key (company_id, id),
  unique (company_id, run_id, address),
  foreign key (company_id, run_id) references report_runs
);
call isolate('report_mails', 'select, insert, update');

-- Links to a file that need no login. The token is not kept: it is derived from the installation's secret, this is its hash.
create table report_links (
  company_id int4 not null,
  token_hash bytea not null,
  file_id int8 not null,
  expires_at timestamptz not null,
  primary key (company_id, token_hash),
  foreign key (company_id, file_id) references report_files
);
create index report_links_token on report_links (token_hash);
create index report_links_over on report_links (expires_at);
call isolate('report_links', 'select, insert', 'select, delete');

-- Device reports lose their file, too, when its time of keeping is over; what proves it stays.
alter table device_reports add column removed_at timestamptz;
alter table device_reports drop constraint device_reports_check;
alter table device_reports add constraint device_reports_ready check (state <> 'ready'
  or ((file_key is not null or removed_at is not null) and file_sha256 is not null and data_sha256 is not null));
create index device_reports_kept on device_reports (finished_at) where file_key is not null;
grant update on device_reports to road;
