-- Reports of shipments that people ask for, as reporting writes them.
create table shipment_reports (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  shipment_id int8 not null,
  number int4 not null,
  -- The whole journey, or the loading data of PPECB.
  kind text not null check (kind in ('journey', 'ppecb')),
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
create index shipment_reports_shipment on shipment_reports (company_id, shipment_id, created_at desc);
create index shipment_reports_kept on shipment_reports (finished_at) where file_key is not null;
call isolate('shipment_reports', 'select, insert, update', 'select, update');
