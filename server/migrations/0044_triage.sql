-- What people write about a trigger. Nobody changes or deletes it.
create table trigger_comments (
  company_id int4 not null,
  id int8 generated always as identity,
  trigger_id int8 not null,
  text text not null,
  at timestamptz not null,
  by_id int8 not null,
  by_name text not null,
  primary key (company_id, id)
);
create index trigger_comments_of on trigger_comments (company_id, trigger_id, id);
call isolate('trigger_comments', 'select, insert', 'select');

-- The person who looks after a trigger, since when, and who said so.
alter table alarm_triggers add column assigned_to int8, add column assigned_at timestamptz, add column assigned_by jsonb;

-- That a trigger was assigned is told to that person, to_user, alone.
alter table alarm_events add column to_user int8;
alter table alarm_events drop constraint alarm_events_kind_check;
alter table alarm_events add constraint alarm_events_kind_check
  check (kind in ('opened', 'normal', 'reminder', 'escalated', 'unsnoozed', 'test', 'withdrawn', 'worsened', 'assigned'));
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('alarmOpened', 'alarmNormal', 'alarmReminder', 'alarmEscalated', 'alarmTest', 'alarmWithdrawn', 'alarmAssigned', 'wallet',
    'deliveryFailed', 'placeEntered', 'placeLeft'));
