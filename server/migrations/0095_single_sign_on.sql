-- Single sign-on: the OpenID provider of a company. facts: what it says of itself, platform/oidc/describe-issuer.ts. The secret is sealed
-- for its issuer and client.
create table sso_connections (
  company_id int4 primary key references companies,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  facts jsonb not null,
  asked_at timestamptz not null,
  state text not null default 'off' check (state in ('off', 'offered', 'enforced')),
  tested_at timestamptz,
  join_role text check (join_role in ('staff', 'manager')),
  session_hours int2 not null default 12 check (session_hours between 1 and 720),
  version int4 not null default 1,
  updated_at timestamptz not null
);
call isolate('sso_connections', 'select, insert, update, delete', 'select, update');

create table sso_domains (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  domain text not null,
  token text not null,
  proved_at timestamptz,
  proved_by text check (proved_by in ('dns', 'provider')),
  checked_at timestamptz,
  missing_since timestamptz,
  created_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, domain),
  -- Anybody may name a domain; one company has proved it.
  constraint sso_domains_proved exclude using btree (domain with =) where (proved_at is not null)
);
call isolate('sso_domains', 'select, insert, update, delete', 'select, update');

-- The account of the issuer that a person comes in by.
create table sso_links (
  company_id int4 not null,
  issuer text not null,
  subject text not null,
  user_id int8 not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (company_id, issuer, subject),
  unique (company_id, issuer, user_id),
  foreign key (company_id, user_id) references users
);
call isolate('sso_links', 'select, insert, update, delete');

-- The Admins who keep their password where single sign-on is enforced.
create table sso_break_glass (
  company_id int4 not null,
  user_id int8 not null,
  marked_at timestamptz not null,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users
);
call isolate('sso_break_glass', 'select, insert, delete');
