-- A file of many rows, which a job reads: all of its rows are stored, or none. errors: the first ones, core/bulk/bulk-rules.ts KeptFault.
-- source, preview: contract/src/bulk-uploads.ts. What it added bears first_number to last_number.
create table bulk_uploads (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  kind text not null check (kind in ('shipments', 'orders')),
  file_name text not null,
  sha256 bytea not null,
  -- Until it is settled.
  file_key text,
  date_order text not null check (date_order in ('iso', 'dmy', 'mdy')),
  is_dry_run boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'working', 'ready', 'stored', 'refused', 'failed')),
  progress int2 not null default 0 check (progress between 0 and 100),
  attempts int2 not null default 0,
  rows int4,
  error_count int4 not null default 0,
  errors jsonb not null default '[]',
  source jsonb,
  preview jsonb,
  marked_key text,
  first_number int4,
  last_number int4,
  address text not null default '',
  created_at timestamptz not null,
  created_by int8 not null,
  created_by_name text not null,
  -- When its job was heard of last: one that is silent for long keeps nobody from the next one.
  touched_at timestamptz not null,
  settled_at timestamptz,
  primary key (company_id, id)
);
-- One at a time for a company.
create unique index bulk_uploads_one on bulk_uploads (company_id) where state in ('waiting', 'working');
create index bulk_uploads_newest on bulk_uploads (company_id, created_at desc);
create index bulk_uploads_file on bulk_uploads (company_id, kind, sha256) where state = 'stored';
create index bulk_uploads_kept on bulk_uploads (created_at) where file_key is not null or marked_key is not null or errors <> '[]';
call isolate('bulk_uploads', 'select, insert, update', 'select, update');
