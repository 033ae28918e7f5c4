-- How long a device was beyond a limit in total, as far as a cumulative alarm counts it: domain/outside-time.ts Outside.
create table alarm_outside (
  company_id int4 not null,
  device_id int4 not null,
  alarm_id int8 not null,
  -- temperatureMin|temperatureMax|humidityMin|humidityMax
  condition text not null,
  -- What was measured before is not counted: the instant from which the alarm judges.
  counted_from timestamptz not null,
  -- The beginning of the stretch outside that goes on; null while inside.
  since timestamptz,
  -- [[from, to], ...] in ms since 1970 within 24 h; [[record, ms outside], ...] within records.
  spans jsonb not null,
  primary key (company_id, device_id, alarm_id, condition),
  foreign key (company_id, alarm_id) references alarms,
  foreign key (company_id, device_id) references devices
);
call isolate('alarm_outside', 'select', 'select, insert, update, delete');

-- Of a cumulative alarm, as its rule was then: {minutes, window: '24h'|'record'}; null for others.
alter table alarm_triggers add cumulative jsonb;
create index alarm_triggers_of_records on alarm_triggers (company_id, device_id)
  where cumulative ->> 'window' = 'record' and normal_at is null and withdrawn_at is null;
