-- What an installation swore of a trail: the hash of the entry `seq` when the trail had `count` entries, signed with the key of
-- DATA_DIR (docs/adr/0013). Numbered from 1 without gaps, so that one taken out of the middle is missed.
create table audit_checkpoints (
  company_id int4 not null references companies,
  number int8 not null check (number > 0),
  seq int8 not null check (seq > 0),
  hash bytea not null,
  count int8 not null,
  at timestamptz not null,
  key_id text not null,
  signature bytea not null,
  primary key (company_id, number),
  unique (company_id, seq)
);
call isolate('audit_checkpoints', 'select, insert', 'select, insert');

-- Where a company wants its checkpoints posted, and how that went the last time.
create table audit_settings (
  company_id int4 primary key references companies,
  webhook_url text,
  last_sent_at timestamptz,
  last_sent_seq int8,
  last_failure text,
  updated_at timestamptz not null
);
call isolate('audit_settings', 'select, insert, update', 'select, update');

-- Append-only for everyone: whoever owns the tables must take this away first, and then the signatures tell.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_checkpoints_append_only before update or delete or truncate on audit_checkpoints
  for each statement execute function refuse_change();

-- What is filtered and searched by, ready-made: behind row-level security only plain comparisons of columns may use an index.
alter table audit_log
  add column feature text not null generated always as (split_part(action, '.', 1)) stored,
  add column words text not null generated always as (lower(coalesce(actor ->> 'name', '') || ' ' || coalesce(target ->> 'name', '')
    || ' ' || coalesce(reason, '') || ' ' || coalesce(before::text, '') || ' ' || coalesce(after::text, '')
    || ' ' || coalesce(origin ->> 'address', ''))) stored;
create index audit_log_feature on audit_log (company_id, feature, seq desc);
create index audit_log_at on audit_log (company_id, at desc);
