-- A key acts as a row of users that is nobody's login. It is archived from the start: no list, count, limit, choice of recipients, rota or assignee
-- has it, and whatever refers to a person can refer to it.
alter table users add column kind text not null default 'person' check (kind in ('person', 'key')),
  add constraint users_keys_are_archived check (kind = 'person' or archived_at is not null);

create table api_keys (
  company_id int4 not null references companies,
  -- That of its row in users, which has its name.
  id int8 not null,
  -- The last signs of the newest secret.
  hint text not null,
  permissions jsonb not null,
  sees_private boolean not null,
  -- In CIDR notation; none: from anywhere.
  networks text[] not null,
  -- The Admin who made it, or changed it last: it may do no more than they may now.
  admin_id int8 not null,
  created_at timestamptz not null,
  created_by_name text not null,
  expires_at timestamptz not null,
  -- How many days before its end people were last told of it.
  told_days int2,
  -- Until then the secret before the newest one is good, too.
  overlap_until timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  revoked_at timestamptz,
  revoked_by_name text,
  primary key (company_id, id),
  foreign key (company_id, id) references users,
  foreign key (company_id, admin_id) references users
);
create index api_keys_ends on api_keys (expires_at) where revoked_at is null;
call isolate('api_keys', 'select, insert, update', 'select, update');

-- Which key a secret is of. Two rows while a key is being rotated. Read before anybody speaks for a company: tenantless.
create table api_key_secrets (
  secret_hash bytea primary key,
  company_id int4 not null,
  key_id int8 not null,
  created_at timestamptz not null,
  -- The end of one that was followed by another; null: it ends with its key.
  expires_at timestamptz
);
create index api_key_secrets_key on api_key_secrets (company_id, key_id);

-- The last calls by key, without what was sent and answered. Written after the answer, in batches.
create table api_key_calls (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  key_id int8 not null,
  at timestamptz not null,
  method text not null,
  -- With the values of its query that are no search terms or tokens.
  path text not null,
  status int2 not null,
  -- Of the refusal.
  code text,
  ms int4 not null,
  address text not null,
  request_id text not null,
  primary key (company_id, id)
);
create index api_key_calls_newest on api_key_calls (company_id, key_id, id desc);
create index api_key_calls_old on api_key_calls (at);
call isolate('api_key_calls', 'select', 'select, insert, delete');
