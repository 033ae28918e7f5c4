-- The pipeline's role is called pipeline, no longer road. Roles belong to the whole cluster, in which other installations may
-- still need road: so this makes a second role and moves what this database grants. Nothing is left to road here.
do $$
begin
  if not exists (select from pg_roles where rolname = 'pipeline') then create role pipeline nologin; end if;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise exception 'this version needs a role "pipeline", which the login % may not create', current_user
      using hint = format('As an administrator: CREATE ROLE pipeline NOLOGIN; GRANT pipeline TO %I '
        'WITH ADMIN TRUE, INHERIT FALSE, SET TRUE (on PostgreSQL 15: WITH ADMIN OPTION)', current_user);
end $$;

do $$
begin
  if current_setting('server_version_num')::int >= 160000 then
    execute format('grant pipeline to %I with inherit false, set true', current_user);
  else
    execute format('grant pipeline to %I', current_user);
  end if;
exception when insufficient_privilege then
  -- An administrator made the role and granted it, which is enough; the server says at each start what is to be done.
  if not pg_has_role(current_user, 'pipeline', 'member') then
    raise exception 'the login % does not hold the role "pipeline"', current_user
      using hint = format('As an administrator: GRANT pipeline TO %I WITH ADMIN TRUE, INHERIT FALSE, SET TRUE '
        '(on PostgreSQL 15: WITH ADMIN OPTION)', current_user);
  end if;
end $$;

do $$
declare
  one record;
begin
  for one in select schemaname, tablename, policyname,
      (select string_agg(quote_ident(case role when 'road' then 'pipeline' else role end), ', ') from unnest(roles) role) as roles
    from pg_policies where 'road' = any(roles)
  loop
    execute format('alter policy %I on %I.%I to %s', one.policyname, one.schemaname, one.tablename, one.roles);
    if one.policyname = 'road_all' then
      execute format('alter policy road_all on %I.%I rename to pipeline_all', one.schemaname, one.tablename);
    end if;
  end loop;
  -- Columns first: to revoke a privilege on a table revokes it on its columns, too.
  for one in select a.attrelid::regclass as target, quote_ident(a.attname) as name, lower(g.privilege_type) as privilege
    from pg_attribute a, aclexplode(a.attacl) g where g.grantee = 'road'::regrole
  loop
    execute format('grant %s (%s) on %s to pipeline', one.privilege, one.name, one.target);
    execute format('revoke %s (%s) on %s from road', one.privilege, one.name, one.target);
  end loop;
  for one in select case c.relkind when 'S' then 'sequence' else 'table' end as kind, c.oid::regclass as target,
      string_agg(lower(g.privilege_type), ', ') as privileges
    from pg_class c, aclexplode(c.relacl) g where g.grantee = 'road'::regrole group by c.oid, c.relkind
  loop
    execute format('grant %s on %s %s to pipeline', one.privileges, one.kind, one.target);
    execute format('revoke %s on %s %s from road', one.privileges, one.kind, one.target);
  end loop;
  for one in select p.oid::regprocedure as target from pg_proc p, aclexplode(p.proacl) g where g.grantee = 'road'::regrole
  loop
    execute format('grant execute on routine %s to pipeline', one.target);
    execute format('revoke execute on routine %s from road', one.target);
  end loop;
end $$;
-- A login of PostgreSQL 15 that inherits nothing holds its schema public through pg_database_owner (see 0030_bare_login.sql).
do $$
begin
  if current_setting('server_version_num')::int < 160000 and pg_has_role(current_user, 'pg_database_owner', 'member')
    and (select nspowner from pg_namespace where nspname = 'public') = 'pg_database_owner'::regrole then
    set local role pg_database_owner;
  end if;
  grant usage on schema public to pipeline;
  revoke usage on schema public from road;
end $$;
reset role;

drop procedure isolate(regclass, text, text);
-- Puts a table behind the tenant wall: forced row-level security, a policy for app, and one for pipeline where asked.
create procedure isolate(target regclass, app_grants text, pipeline_grants text default null) language plpgsql as $$
begin
  execute format('alter table %s enable row level security, force row level security', target);
  execute format('create policy app_by_company on %s to app using (company_id = current_company()) with check (company_id = current_company())', target);
  execute format('grant %s on %s to app', app_grants, target);
  if pipeline_grants is not null then
    execute format('create policy pipeline_all on %s to pipeline using (true) with check (true)', target);
    execute format('grant %s on %s to pipeline', pipeline_grants, target);
  end if;
end $$;
