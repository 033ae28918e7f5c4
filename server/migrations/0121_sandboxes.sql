-- compatible: yes
-- Sandboxes of integrators (ADR 0063): companies of their own, in which nothing is paid and nobody is written to.
alter table companies add column is_sandbox boolean not null default false;

-- Which company made which sandbox. Rows stay: how many were made on a day is counted from them.
create table sandboxes (
  company_id int4 not null references companies,
  sandbox_id int4 not null references companies,
  -- Its only person, in whose name sessions in it are opened.
  user_id int8 not null,
  made_at timestamptz not null,
  made_by_name text not null,
  ended_at timestamptz,
  ended_by_name text,
  primary key (company_id, sandbox_id),
  foreign key (sandbox_id, user_id) references users,
  check (company_id <> sandbox_id),
  check ((ended_at is null) = (ended_by_name is null))
);
create unique index sandboxes_live on sandboxes (company_id) where ended_at is null;
create index sandboxes_made on sandboxes (company_id, made_at);
call isolate('sandboxes', 'select, insert, update', 'select');

-- The session of the owner's company by which somebody opened this one in a sandbox: they end together.
alter table sessions add column opened_by bytea references sessions on delete cascade;
create index sessions_opened_by on sessions (opened_by) where opened_by is not null;
