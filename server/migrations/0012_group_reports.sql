-- What happened in a group in a period, issued as a file; built and mailed by a job as device_reports are.
create table group_reports (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  group_id int8 not null,
  -- As it was called then.
  group_name text not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  timezone text not null,
  locale text not null,
  format text not null check (format in ('pdf', 'csv', 'xlsx')),
  requested_by int8 not null,
  requested_by_name text not null,
  state text not null default 'waiting' check (state in ('waiting', 'building', 'ready', 'failed')),
  progress int2 not null default 0 check (progress between 0 and 100),
  attempts int2 not null default 0,
  failure text check (failure in ('notVisible', 'broken')),
  created_at timestamptz not null,
  finished_at timestamptz,
  data_as_of timestamptz,
  devices int4,
  -- Whether one of them was private: then it is for who asked, and for Admins.
  has_private boolean not null default false,
  pages int4,
  size_bytes int8,
  file_sha256 bytea,
  file_key text,
  mailed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, group_id) references groups,
  check (state <> 'ready' or (file_key is not null and file_sha256 is not null))
);
create index group_reports_of_group on group_reports (company_id, group_id, created_at desc);
call isolate('group_reports', 'select, insert, update');
