-- Since when an alarm watches a device or a group; null: as long as its rule. What was measured before does not fire.
alter table alarm_targets add column added_at timestamptz;

-- What late data took back is told to whoever heard of it.
alter table alarm_events drop constraint alarm_events_kind_check;
alter table alarm_events add constraint alarm_events_kind_check
  check (kind in ('opened', 'normal', 'reminder', 'escalated', 'unsnoozed', 'test', 'withdrawn'));
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('alarmOpened', 'alarmNormal', 'alarmReminder', 'alarmEscalated', 'alarmTest', 'alarmWithdrawn', 'wallet',
    'deliveryFailed', 'placeEntered', 'placeLeft'));
alter table deliveries drop constraint deliveries_channel_check;
alter table deliveries add constraint deliveries_channel_check check (channel in ('mail', 'sms', 'chat', 'webhook', 'push'));

-- Each channel takes what is due of its own.
drop index deliveries_due;
create index deliveries_due on deliveries (channel, next_at) where state in ('held', 'queued', 'sending');

-- That the Admins were told of a channel that fails, on a day of the company's zone.
create table delivery_failure_notices (
  company_id int4 not null references companies,
  channel text not null,
  day date not null,
  primary key (company_id, channel, day)
);
call isolate('delivery_failure_notices', 'select', 'select, insert');

-- What a company's webhooks are signed with; made when it is first needed.
create table webhook_keys (
  company_id int4 primary key references companies,
  secret text not null,
  created_at timestamptz not null
);
call isolate('webhook_keys', 'select, insert, update', 'select, insert');

-- A device that came into (or went out of) a geofence or point of interest that is to be told of; pipeline/notify takes it
-- from here, once. names: {device, fence}; position of the fix: {lat, lon}?
create table place_crossings (
  company_id int4 not null,
  id int8 generated always as identity,
  device_id int4 not null,
  -- g<id> or p<id>
  fence text not null,
  direction text not null check (direction in ('in', 'out')),
  at timestamptz not null,
  recorded_at timestamptz not null,
  late boolean not null,
  names jsonb not null,
  position jsonb,
  taken_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, device_id) references devices
);
create index place_crossings_of_device on place_crossings (company_id, device_id, at);
create index place_crossings_waiting on place_crossings (id) where taken_at is null;
call isolate('place_crossings', 'select', 'select, insert, update');
create trigger place_crossings_announced after insert on place_crossings for each row execute function announce_alarm_events();
-- Places that are new are watched at once.
create trigger geofences_added after insert on geofences
  referencing new table as changed for each statement execute function note_company_change();
create trigger points_of_interest_added after insert on points_of_interest
  referencing new table as changed for each statement execute function note_company_change();

-- Whether a person wants mails of crossings, and notifications pushed to their browsers.
alter table notification_settings add column place_mail boolean not null default false;
alter table notification_settings add column push boolean not null default false;
-- A browser that notifications are pushed to (RFC 8030); p256dh and auth encrypt what it gets.
create table push_subscriptions (
  company_id int4 not null,
  id int8 generated always as identity,
  user_id int8 not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, endpoint),
  foreign key (company_id, user_id) references users
);
create index push_subscriptions_of_user on push_subscriptions (company_id, user_id);
call isolate('push_subscriptions', 'select, insert, update, delete', 'select, delete');
