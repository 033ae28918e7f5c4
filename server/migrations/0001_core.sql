-- Roles: the login role owns everything and works on the tenantless tables; every tenant's query runs as
-- app (row-level security by company), the pipeline and sweeping jobs as road. Neither owns a table.
do $$
begin
  if not exists (select from pg_roles where rolname = 'app') then create role app nologin; end if;
  if not exists (select from pg_roles where rolname = 'road') then create role road nologin; end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$
begin
  execute format('grant app, road to %I', current_user);
end $$;
grant usage on schema public to app, road;

create extension if not exists btree_gist;

-- The company a transaction speaks for; null (and so no row) where none is set.
create function current_company() returns int4 language sql stable parallel safe
  return nullif(current_setting('app.company_id', true), '')::int4;

-- Puts a table behind the tenant wall: forced row-level security, a policy for app, and one for road where asked.
create procedure isolate(target regclass, app_grants text, road_grants text default null) language plpgsql as $$
begin
  execute format('alter table %s enable row level security, force row level security', target);
  execute format('create policy app_by_company on %s to app using (company_id = current_company()) with check (company_id = current_company())', target);
  execute format('grant %s on %s to app', app_grants, target);
  if road_grants is not null then
    execute format('create policy road_all on %s to road using (true) with check (true)', target);
    execute format('grant %s on %s to road', road_grants, target);
  end if;
end $$;

create table companies (
  company_id int4 generated always as identity primary key,
  name text not null,
  country text,
  timezone text not null default 'UTC',
  locale text not null default 'en',
  industry text, address text, city text, phone text, website text,
  registration_number text, tax_number text,
  chart_type text not null default 'single' check (chart_type in ('single', 'multi')),
  map_type text not null default 'roadmap' check (map_type in ('roadmap', 'satellite', 'terrain', 'hybrid')),
  ppecb jsonb,
  profile_completed_at timestamptz,
  subscription_until timestamptz,
  created_at timestamptz not null default now()
);
call isolate('companies', 'select, update', 'select');
-- Registration creates a company before any transaction can speak for it.
do $$
begin
  execute format('create policy login_all on companies to %I using (true) with check (true)', current_user);
end $$;

create table users (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  fullname text not null,
  email text not null,
  role text not null check (role in ('admin', 'manager', 'staff')),
  phone text,
  timezone text not null,
  locale text not null,
  status text not null check (status in ('active', 'invited', 'unverified')),
  terms_accepted_at timestamptz,
  login_count int4 not null default 0,
  last_login_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index users_email on users (company_id, email) where archived_at is null;
call isolate('users', 'select, insert, update', 'select');

-- What an Admin changed; a role without a row has its defaults.
create table role_permissions (
  company_id int4 not null references companies,
  role text not null check (role in ('manager', 'staff')),
  matrix jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, role)
);
call isolate('role_permissions', 'select, insert, update', 'select');

-- Append-only and hash-chained per company: seq counts from 1 without gaps, hash covers the entry and prev_hash.
create table audit_log (
  company_id int4 not null references companies,
  seq int8 not null,
  at timestamptz not null,
  actor jsonb not null,
  action text not null,
  target jsonb,
  before jsonb,
  after jsonb,
  reason text,
  origin jsonb not null,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (company_id, seq)
);
call isolate('audit_log', 'select, insert', 'select, insert');
create table audit_heads (
  company_id int4 primary key references companies,
  seq int8 not null,
  hash bytea not null
);
call isolate('audit_heads', 'select, insert, update', 'select, insert, update');

-- Tenantless: reached only through platform/auth, as the login role.
create table identities (
  id int8 generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  password_hash text,
  verified_at timestamptz,
  company_id int4 not null,
  user_id int8 not null,
  created_at timestamptz not null default now(),
  unique (company_id, user_id)
);
create table sessions (
  token_hash bytea primary key,
  identity_id int8 not null references identities on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text,
  agent text
);
create index sessions_identity on sessions (identity_id);
create table mail_tokens (
  id int8 generated always as identity primary key,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('verify', 'reset', 'invite')),
  identity_id int8 not null references identities on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_tokens_identity on mail_tokens (identity_id, purpose);

-- The provider's stock: tenantless, reached only through platform/provider.
create table hardware (
  imei text primary key check (imei ~ '^\d{15}$'),
  type text not null,
  probes int2 not null default 1 check (probes between 1 and 16),
  secret_hash bytea not null,
  created_at timestamptz not null default now()
);
create table licence_keys (
  key_hash bytea primary key,
  hint text not null,
  devices int4 not null check (devices between 1 and 100000),
  months int4 not null check (months between 1 and 120),
  issued_at timestamptz not null default now(),
  company_id int4 references companies,
  claimed_at timestamptz
);

create table licences (
  company_id int4 not null references companies,
  id int4 generated always as identity,
  key_hash bytea not null references licence_keys,
  hint text not null,
  devices int4 not null,
  starts_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, key_hash)
);
call isolate('licences', 'select, insert, update', 'select');

create table devices (
  company_id int4 not null references companies,
  id int4 generated always as identity,
  name text not null,
  tag text,
  type text not null,
  visibility text not null default 'public' check (visibility in ('private', 'public')),
  interval_s int4 not null default 600 check (interval_s between 180 and 86400),
  transmission text not null default 'started' check (transmission in ('started', 'paused')),
  power text not null default 'on' check (power in ('on', 'off')),
  decommissioned_at timestamptz,
  licence_id int4,
  licence_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, licence_id) references licences
);
create index devices_name on devices (company_id, lower(name));
call isolate('devices', 'select, insert, update', 'select, update');

-- Which company's device a probe of a piece of hardware measured for, and when.
create table assignments (
  company_id int4 not null,
  device_id int4 not null,
  imei text not null references hardware,
  probe int2 not null default 1,
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  primary key (company_id, device_id, valid_from),
  foreign key (company_id, device_id) references devices,
  exclude using gist (imei with =, probe with =, tstzrange(valid_from, valid_to) with &&)
);
create index assignments_imei on assignments (imei, probe, valid_from);
call isolate('assignments', 'select, insert, update', 'select');

-- Limits with their history: the row with the greatest valid_from not after a reading judges it. Null is no limit.
create table device_limits (
  company_id int4 not null,
  device_id int4 not null,
  valid_from timestamptz not null,
  temperature_min_centi int2,
  temperature_max_centi int2,
  humidity_min_centi int2,
  humidity_max_centi int2,
  primary key (company_id, device_id, valid_from),
  foreign key (company_id, device_id) references devices,
  check (temperature_min_centi < temperature_max_centi),
  check (humidity_min_centi < humidity_max_centi)
);
call isolate('device_limits', 'select, insert, update', 'select');
