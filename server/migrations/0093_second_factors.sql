-- Second factors, recovery codes and passkeys of identities, and the browsers they came from. Tenantless: the login role's own.

-- A secret that makes codes, sealed. It counts once a code confirmed it. last_step: the time step of the last code that was used, so that each works once.
create table totps (
  identity_id int8 primary key references identities on delete cascade,
  secret_sealed bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step int8 not null default 0,
  -- Codes that were tried since the last right one; from the fifth on there is a pause, twice as long each time.
  failures int4 not null default 0,
  locked_until timestamptz
);

create table recovery_codes (
  identity_id int8 not null references identities on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (identity_id, code_hash)
);

create table passkeys (
  id int8 generated always as identity primary key,
  identity_id int8 not null references identities on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter int8 not null,
  transports text[] not null,
  -- The host that it was made for: it works nowhere else.
  host text not null,
  name text not null,
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_identity on passkeys (identity_id);
-- The name by which passkeys know their person: random, because whoever holds one can read it.
alter table identities add column passkey_handle bytea unique;

create table known_browsers (
  identity_id int8 not null references identities on delete cascade,
  browser_hash bytea not null,
  used_at timestamptz not null,
  primary key (identity_id, browser_hash)
);

-- Without use a session ends after this time, where its company sets one.
alter table sessions add column idle_s int4 check (idle_s > 0);

-- The logins of a company's people: from when on a second factor is needed, and when sessions end, unused and in all; null: as the operator has it.
alter table companies
  add column second_factor_from timestamptz,
  add column session_idle_minutes int4 check (session_idle_minutes > 0),
  add column session_hours int4 check (session_hours > 0);
