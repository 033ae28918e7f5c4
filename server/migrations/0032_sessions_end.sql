-- The networks an account has logged in from: strangers' guesses do not keep its owner out there. Tenantless.
create table known_networks (
  identity_id int8 not null references identities on delete cascade,
  network_hash bytea not null,
  used_at timestamptz not null,
  primary key (identity_id, network_hash)
);

-- When a session ends follows from the configuration at each use; an Admin's ends sooner. A new role ends the sessions before it.
alter table sessions add column is_admin boolean not null default false;
alter table users no force row level security;
update sessions s set is_admin = true
  from identities i join users u on u.company_id = i.company_id and u.id = i.user_id
 where i.id = s.identity_id and u.role = 'admin';
alter table users force row level security;
alter table sessions alter column is_admin drop default, drop column expires_at;
