-- The hours of a treatment's probes, as measured: a clock is worked out from them without its readings. n: how many temperatures the hour
-- had when it was added up; where the rollup has another number, readings came since.
create table cold_treatment_hours (
  company_id int4 not null,
  shipment_id int8 not null,
  device_id int4 not null,
  hour timestamptz not null,
  n int4 not null,
  warmest_c int4 not null,
  coldest_c int4 not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (company_id, shipment_id, device_id, hour),
  foreign key (company_id, shipment_id) references cold_treatments on delete cascade
);
call isolate('cold_treatment_hours', 'select, insert, update, delete', 'select');

-- Monitoring records in support of cold treatments, as PDF.
create table cold_treatment_records (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  shipment_id int8 not null,
  shipment_number int4 not null,
  contents text[] not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  timezone text not null,
  locale text not null,
  format text not null check (format = 'pdf'),
  requested_by int8 not null,
  requested_by_name text not null,
  recipients int8[],
  mailed_to int8[] not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'building', 'ready', 'failed')),
  progress int2 not null default 0 check (progress between 0 and 100),
  attempts int2 not null default 0,
  failure text check (failure in ('notVisible', 'broken')),
  created_at timestamptz not null,
  finished_at timestamptz,
  data_as_of timestamptz,
  -- The devices that it tells of.
  device_ids int4[] not null,
  pages int4,
  size_bytes int8,
  file_sha256 bytea,
  file_key text,
  mailed_at timestamptz,
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, shipment_id) references shipments,
  check (state <> 'ready' or ((file_key is not null or removed_at is not null) and file_sha256 is not null))
);
create index cold_treatment_records_of on cold_treatment_records (company_id, shipment_id, created_at desc);
create index cold_treatment_records_kept on cold_treatment_records (finished_at) where file_key is not null;
call isolate('cold_treatment_records', 'select, insert, update', 'select, update');
