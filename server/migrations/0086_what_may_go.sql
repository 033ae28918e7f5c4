-- For how many months the readings of a company stay, where its plan ends that and the operator lets the server delete (RETENTION_DELETES).
-- months, cut_at: in force; what was measured before cut_at may go. next_*: announced, from next_at on. Only the job may move cut_at.
create table retention_shrinks (
  company_id int4 primary key references companies,
  months int4 check (months > 0),
  cut_at timestamptz,
  next_months int4 check (next_months > 0),
  announced_at timestamptz,
  told_again_at timestamptz,
  next_at timestamptz,
  check ((months is null) = (cut_at is null)),
  check (num_nulls(next_months, announced_at, next_at) in (0, 3)),
  check (next_at >= announced_at + interval '2160 hours')
);
call isolate('retention_shrinks', 'select', 'select, insert, update, delete');
-- Who is told is written in the tenant's transaction, together with what they are told of.
grant insert (company_id, next_months, announced_at, told_again_at, next_at) on retention_shrinks to app;
grant update (next_months, announced_at, told_again_at, next_at) on retention_shrinks to app;

-- The sweep of old readings has to see what people said of an excursion.
grant select on excursion_annotations to pipeline;
create policy pipeline_reads on excursion_annotations for select to pipeline using (true);

-- The spans of a device whose readings stay whatever a plan says, because something else was made of them or says something about them:
-- records, orders and shipments from start to end, claims, excursions and what people said of them, alarms, sessions that somebody began
-- by hand, reports whose file is there. Each with a week around it, in which the reading before it and after it lie.
create function retention_holds(company int4, device int4) returns table (reason text, span tstzrange) language sql stable as $$
  select h.reason, tstzrange(h.since - interval '168 hours', h.until + interval '168 hours')
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
  ) h
$$;

-- The wall: whatever a query asks for, only readings of samples go, and those that are older than their company keeps and that nothing holds.
alter policy samples_deleted on readings using (
  exists (select from devices d
    where d.company_id = readings.company_id and d.id = readings.device_id and d.sample_until is not null)
  or (exists (select from retention_shrinks s where s.company_id = readings.company_id and readings.measured_at < s.cut_at)
    and not exists (select from retention_holds(readings.company_id, readings.device_id) h where h.span @> readings.measured_at)));
alter policy samples_deleted on readings rename to samples_and_unheld_deleted;
