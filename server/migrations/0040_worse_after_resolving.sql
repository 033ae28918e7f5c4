-- What is resolved while its values are still outside fires again when they get worse: the peak known when it was resolved,
-- and when it last fired again.
alter table alarm_triggers add column resolved_peak int4, add column refired_at timestamptz;
alter table alarm_events drop constraint alarm_events_kind_check;
alter table alarm_events add constraint alarm_events_kind_check
  check (kind in ('opened', 'normal', 'reminder', 'escalated', 'unsnoozed', 'test', 'withdrawn', 'worsened'));
