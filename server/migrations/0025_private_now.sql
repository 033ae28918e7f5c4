-- A file is judged by who reads it now. device_ids: the devices whose data it tells of; null where that is not known, and then
-- the file is for Admins only. named_by: who gave a recipient that is no person of the company; null where that is not known.
alter table device_reports add column device_ids int4[];
alter table group_reports add column device_ids int4[];
alter table report_runs add column device_ids int4[];
alter table alarm_recipients add column named_by int8;
alter table alarm_recipients add foreign key (company_id, named_by) references users;
alter table report_recipients add column named_by int8;
alter table report_recipients add foreign key (company_id, named_by) references users;

-- Whom a link on a screen was given to: it is good while they may have the file. Null: a link of a mail.
alter table report_links add column user_id int8;
alter table report_links add foreign key (company_id, user_id) references users;

-- The owner reads every company's rows only while row-level security is not forced; the end of this file forces it again.
do $$
declare target text;
begin
  foreach target in array array['device_reports', 'group_reports', 'report_runs', 'report_targets', 'report_recipients',
    'alarm_recipients', 'alarms', 'reports', 'records', 'record_devices', 'devices', 'group_devices', 'users', 'audit_log']
  loop
    execute format('alter table %I no force row level security', target);
  end loop;
end $$;

-- A report of a record tells of all its devices; its budget also of the devices of other records of the same lot.
update device_reports r set device_ids = case when r.device_id is not null then array[r.device_id] else (
  select coalesce(array_agg(distinct m.device_id), '{}') from records mine
    join records lot on lot.company_id = mine.company_id
      and (lot.id = mine.id or (mine.budget is not null and lower(lot.lot) = lower(mine.lot)))
    join record_devices m on m.company_id = lot.company_id and m.record_id = lot.id
  where mine.company_id = r.company_id and mine.id = r.record_id) end;

-- Of a file of a group only the number of devices is known: it is told by the group's devices where that is the number of them.
update group_reports r set device_ids = case when r.state <> 'ready' then '{}'::int4[]
  when not r.has_private and m.ids is not null and cardinality(m.ids) = r.devices then m.ids end
from group_reports o left join lateral (select array_agg(g.device_id) as ids from group_devices g
  where g.company_id = o.company_id and g.group_id = o.group_id) m on true
where o.company_id = r.company_id and o.id = r.id;
update report_runs n set device_ids = case when n.state <> 'ready' then '{}'::int4[]
  when not n.has_private and m.ids is not null and cardinality(m.ids) = n.devices then m.ids end
from report_runs o left join lateral (select array_agg(distinct coalesce(x.device_id, g.device_id)) as ids from report_targets x
  left join group_devices g on g.company_id = x.company_id and g.group_id = x.group_id
  where x.company_id = o.company_id and x.report_id = o.report_id and coalesce(x.device_id, g.device_id) is not null) m on true
where o.company_id = n.company_id and o.id = n.id;

-- Who named an address: the person whose entry of the audit trail added it last; without one, who made the alarm or saved the
-- report last.
update alarm_recipients r set named_by = coalesce(
  (select u.id from audit_log l join users u on u.company_id = l.company_id and u.id::text = l.actor ->> 'id'
    where l.company_id = r.company_id and l.action in ('alarms.created', 'alarms.changed')
      and l.target ->> 'id' = r.alarm_id::text and l.actor ->> 'kind' = 'user'
      and (coalesce(l.after -> 'recipients', '[]') || coalesce(l.after -> 'escalation', '[]'))
        @> jsonb_build_array(jsonb_build_object('address', r.address))
      and not (coalesce(l.before -> 'recipients', '[]') || coalesce(l.before -> 'escalation', '[]'))
        @> jsonb_build_array(jsonb_build_object('address', r.address))
    order by l.seq desc limit 1),
  (select u.id from alarms a join users u on u.company_id = a.company_id and u.id = a.created_by
    where a.company_id = r.company_id and a.id = r.alarm_id))
where r.address is not null;
update report_recipients r set named_by = coalesce(
  (select u.id from audit_log l join users u on u.company_id = l.company_id and u.id::text = l.actor ->> 'id'
    where l.company_id = r.company_id and l.action in ('reports.created', 'reports.changed')
      and l.target ->> 'id' = r.report_id::text and l.actor ->> 'kind' = 'user'
      and coalesce(l.after -> 'recipients', '[]') @> jsonb_build_array(jsonb_build_object('email', r.address))
      and not coalesce(l.before -> 'recipients', '[]') @> jsonb_build_array(jsonb_build_object('email', r.address))
    order by l.seq desc limit 1),
  (select n.runs_as from reports n where n.company_id = r.company_id and n.id = r.report_id))
where r.address is not null;

do $$
declare target text;
begin
  foreach target in array array['device_reports', 'group_reports', 'report_runs', 'report_targets', 'report_recipients',
    'alarm_recipients', 'alarms', 'reports', 'records', 'record_devices', 'devices', 'group_devices', 'users', 'audit_log']
  loop
    execute format('alter table %I force row level security', target);
  end loop;
end $$;

-- What is not built yet tells of no device.
alter table device_reports alter column device_ids set default '{}';
alter table group_reports alter column device_ids set default '{}', drop column has_private;
alter table report_runs alter column device_ids set default '{}', drop column has_private;
