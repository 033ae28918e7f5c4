-- The worth that the insurer's certificate names: it may be another one than was asked for.
alter table order_insurances add column certified_worth int8 check (certified_worth > 0);

-- Claim packs that somebody asked for, as files: the letter with its evidence, or that and all data as a ZIP.
create table order_claims (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  order_id int8 not null,
  tracking_code text not null,
  carriage text not null check (carriage in ('cmr', 'cim', 'montreal', 'hagueVisby', 'hamburg', 'own')),
  contents text[] not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  timezone text not null,
  locale text not null,
  format text not null check (format in ('pdf', 'zip')),
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
  foreign key (company_id, order_id) references orders,
  check (state <> 'ready' or ((file_key is not null or removed_at is not null) and file_sha256 is not null))
);
create index order_claims_order on order_claims (company_id, order_id, created_at desc);
create index order_claims_kept on order_claims (finished_at) where file_key is not null;
call isolate('order_claims', 'select, insert, update', 'select, update');
