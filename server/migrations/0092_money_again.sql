-- The modules of the product that a plan has. A licence keeps what its plan had when it was sold; null: all of them.
alter table plans add column modules text[] not null default array['devices', 'groups', 'alarms', 'reports', 'users', 'dispatch', 'payments']
  check (modules <@ array['devices', 'groups', 'alarms', 'reports', 'users', 'dispatch', 'payments'] and cardinality(modules) > 0);
alter table licences add column modules text[]
  check (modules <@ array['devices', 'groups', 'alarms', 'reports', 'users', 'dispatch', 'payments'] and cardinality(modules) > 0);

-- Units came in, and the messages that found none are to be looked at.
alter table wallets add column refilled_at timestamptz;
create index wallets_refilled on wallets (refilled_at) where refilled_at is not null;

-- That a card ends with its month was said a second time.
alter table cards add column end_told_again_at timestamptz;
grant select (end_told_again_at) on cards to pipeline;

-- The provider's id of a dispute: one that is open is asked for each night.
alter table payments add column dispute_ref text;
create index payments_disputed on payments (provider) where dispute = 'open';

-- As before, and the files of groups, shipments and cold treatments, and what scheduled reports sent.
create or replace function retention_holds(company int4, device int4) returns table (reason text, span tstzrange) language sql stable as $$
  select h.reason, tstzrange(h.since - interval '168 hours', greatest(h.since, h.until) + interval '168 hours')
  from (
    select 'record' as reason, r.start_at as since, coalesce(r.end_at, 'infinity') as until
    from record_devices x join records r on r.company_id = x.company_id and r.id = x.record_id
    where x.company_id = company and x.device_id = device
    union all
    select 'order', o.started_at, coalesce(o.ended_at, o.cancelled_at, 'infinity')
    from order_devices x join orders o on o.company_id = x.company_id and o.id = x.order_id
    where x.company_id = company and x.device_id = device and o.started_at is not null
    union all
    select 'shipment', s.started_at, coalesce(s.ended_at, s.cancelled_at, 'infinity')
    from shipment_devices x join shipments s on s.company_id = x.company_id and s.id = x.shipment_id
    where x.company_id = company and x.device_id = device and s.started_at is not null
    union all
    select 'claim', c.period_from, c.period_to
    from order_claims c where c.company_id = company and device = any(c.device_ids)
    union all
    select 'excursion', e.start_at, coalesce(e.end_at, 'infinity')
    from excursions e where e.company_id = company and e.device_id = device
    union all
    select 'annotation', coalesce(lower(a.covers), '-infinity'), coalesce(upper(a.covers), 'infinity')
    from excursion_annotations a where a.company_id = company and a.device_id = device
    union all
    select 'alarm', t.breach_at, coalesce(t.normal_at, 'infinity')
    from alarm_triggers t where t.company_id = company and t.device_id = device and t.withdrawn_at is null
    union all
    select 'session', s.started_at, coalesce(s.ended_at, 'infinity')
    from device_sessions s where s.company_id = company and s.device_id = device and (s.opened_by = 'hand' or s.name is not null)
    union all
    select 'report', p.period_from, p.period_to
    from device_reports p where p.company_id = company and p.device_id = device and p.file_key is not null
    union all
    select 'group report', p.period_from, p.period_to
    from group_reports p where p.company_id = company and device = any(p.device_ids) and p.file_key is not null
    union all
    select 'scheduled report', p.period_from, p.period_to
    from report_runs p where p.company_id = company and device = any(p.device_ids) and exists (
      select from report_files f where f.company_id = p.company_id and f.run_id = p.id and f.file_key is not null)
    union all
    select 'shipment report', p.period_from, p.period_to
    from shipment_reports p where p.company_id = company and device = any(p.device_ids) and (p.file_key is not null or p.kind = 'claim')
    union all
    select 'cold treatment record', p.period_from, p.period_to
    from cold_treatment_records p where p.company_id = company and device = any(p.device_ids) and p.file_key is not null
  ) h
$$;
