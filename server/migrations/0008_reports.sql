-- The history of a device, issued as a file. `report_key` is 128 random bits: it is printed on the report and opens its public page.
-- data_sha256 is of the figures, limits, excursions and readings told; file_sha256 of the file that tells them. data_as_of is
-- the instant of the snapshot all of it was read from. device_name, company_name, requested_by_name and imeis are as they were then.
create table device_reports (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  report_key text not null check (report_key ~ '^[0-9a-f]{32}$'),
  device_id int4 not null,
  device_name text not null,
  company_name text not null,
  imeis text[] not null default '{}',
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
  readings int4,
  pages int4,
  size_bytes int8,
  data_sha256 bytea,
  file_sha256 bytea,
  file_key text,
  mailed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, device_id) references devices,
  check (state <> 'ready' or (file_key is not null and file_sha256 is not null and data_sha256 is not null))
);
create index device_reports_of_device on device_reports (company_id, device_id, created_at desc);
create index device_reports_key on device_reports (report_key);
-- road finds the company of a report whose key somebody holds.
call isolate('device_reports', 'select, insert, update', 'select');
