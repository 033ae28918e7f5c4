-- compatible: yes
-- The logo of a company: a file of the store, made smaller from what was sent.
alter table companies
  add column logo_key text,
  add column logo_sha256 bytea,
  add column logo_bytes int4,
  add check (num_nulls(logo_key, logo_sha256, logo_bytes) in (0, 3));
create index companies_logo on companies (logo_key);
