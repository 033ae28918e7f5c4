-- A session says how its person came in, when they last proved who they are, and, where its login sets one, its own end.
alter table sessions
  add column id int8 generated always as identity,
  add column method text not null default 'password' check (method in ('password', 'passkey', 'sso')),
  add column proved_at timestamptz,
  add column ends_at timestamptz,
  add column scope text not null default 'full' check (scope in ('full', 'enrol'));
update sessions set proved_at = created_at;
alter table sessions alter column proved_at set default now(), alter column proved_at set not null, add constraint sessions_id unique (id);

-- Logins that wait for something more: a second factor, a passkey's answer, a provider's answer. Single use; tries are counted. Tenantless.
create table login_challenges (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('secondFactor', 'passkey', 'sso')),
  identity_id int8 references identities on delete cascade,
  details jsonb not null,
  attempts int4 not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_challenges_expires on login_challenges (expires_at);
