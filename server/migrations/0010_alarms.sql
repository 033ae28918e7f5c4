-- Groups of devices and of people; alarms may watch a group and follow its membership.
create table groups (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  visibility text not null default 'public' check (visibility in ('private', 'public')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (company_id, id)
);
create unique index groups_name on groups (company_id, lower(name)) where archived_at is null;
call isolate('groups', 'select, insert, update', 'select');
create table group_devices (
  company_id int4 not null,
  group_id int8 not null,
  device_id int4 not null,
  added_at timestamptz not null,
  primary key (company_id, group_id, device_id),
  foreign key (company_id, group_id) references groups,
  foreign key (company_id, device_id) references devices
);
create index group_devices_device on group_devices (company_id, device_id);
call isolate('group_devices', 'select, insert, delete', 'select');
create table group_users (
  company_id int4 not null,
  group_id int8 not null,
  user_id int8 not null,
  added_at timestamptz not null,
  primary key (company_id, group_id, user_id),
  foreign key (company_id, group_id) references groups,
  foreign key (company_id, user_id) references users
);
create index group_users_user on group_users (company_id, user_id);
call isolate('group_users', 'select, insert, delete', 'select');

-- What is watched. `rule` is contract/src/alarms.ts AlarmRule as its verb checked it, in hundredths and ms:
-- domain/alarm-rule.ts says how it is kept. rule_from: readings measured before it are not judged by this rule.
create table alarms (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  kind text not null check (kind in ('value', 'fence', 'noData')),
  severity text not null check (severity in ('warning', 'critical')),
  visibility text not null check (visibility in ('private', 'public')),
  rule jsonb not null,
  rule_from timestamptz not null,
  -- {zone, days: [1..7, Monday first], from: 'HH:MM', to: 'HH:MM'}; null: always armed.
  schedule jsonb,
  notify_normal boolean not null default false,
  -- Minutes; null: never.
  reminder_minutes int4 check (reminder_minutes between 5 and 1440),
  escalate_minutes int4 check (escalate_minutes between 1 and 1440),
  snoozed_until timestamptz,
  snoozed_by int8,
  created_at timestamptz not null,
  created_by int8,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (company_id, id)
);
create index alarms_name on alarms (company_id, lower(name)) where archived_at is null;
create index alarms_snoozed on alarms (snoozed_until) where snoozed_until is not null;
call isolate('alarms', 'select, insert, update', 'select, update');

-- A device, or a group whose members it follows.
create table alarm_targets (
  company_id int4 not null,
  alarm_id int8 not null,
  device_id int4,
  group_id int8,
  check (num_nonnulls(device_id, group_id) = 1),
  unique nulls not distinct (company_id, alarm_id, device_id, group_id),
  foreign key (company_id, alarm_id) references alarms,
  foreign key (company_id, device_id) references devices,
  foreign key (company_id, group_id) references groups
);
create index alarm_targets_device on alarm_targets (company_id, device_id) where device_id is not null;
create index alarm_targets_group on alarm_targets (company_id, group_id) where group_id is not null;
call isolate('alarm_targets', 'select, insert, delete', 'select');

-- Who hears of it and how: a person, or a raw address. tier 1 at once, tier 2 when nobody acknowledges in escalate_minutes.
create table alarm_recipients (
  company_id int4 not null,
  alarm_id int8 not null,
  tier int2 not null check (tier in (1, 2)),
  user_id int8,
  -- A mail address, an E.164 number or an https URL.
  address text,
  channels text[] not null check (channels <@ array['app', 'mail', 'sms', 'chat', 'webhook'] and cardinality(channels) > 0),
  check (num_nonnulls(user_id, address) = 1),
  unique nulls not distinct (company_id, alarm_id, tier, user_id, address),
  foreign key (company_id, alarm_id) references alarms,
  foreign key (company_id, user_id) references users
);
call isolate('alarm_recipients', 'select, insert, delete', 'select');

-- One firing of one condition of an alarm at one device. The row is the state of the engine too: of a condition at a device
-- at most one has no normal_at. Pending while opened_at is null; then open, acknowledged, back to normal, resolved.
-- condition: temperatureMin|temperatureMax|humidityMin|humidityMax|batteryMin|batteryMax|noData|in:g<id>|out:g<id>|in:p<id>|out:p<id>
create table alarm_triggers (
  company_id int4 not null,
  id int8 generated always as identity,
  alarm_id int8 not null,
  device_id int4 not null,
  condition text not null,
  severity text not null check (severity in ('warning', 'critical')),
  -- Event time: of the first reading that breaks the rule; when the delay is over; of the reading that is back to normal.
  breach_at timestamptz not null,
  due_at timestamptz not null,
  opened_at timestamptz,
  normal_at timestamptz,
  -- Our clock, when it opened and when it went back.
  recorded_at timestamptz,
  normal_recorded_at timestamptz,
  -- Hundredths of a degree or percent; minutes of silence for noData; null for fences.
  limit_value int4,
  value int4,
  peak int4,
  peak_at timestamptz,
  -- Names of then: {alarm, device, fence?}; position of the fix: {lat, lon}?
  names jsonb not null,
  position jsonb,
  -- Found in data that came late.
  late boolean not null default false,
  amended_at timestamptz,
  -- Late data shows that it never was.
  withdrawn_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by jsonb,
  resolved_at timestamptz,
  resolved_by jsonb,
  note text,
  -- Opened while its alarm was snoozed, so nobody was told.
  shelved boolean not null default false,
  remind_at timestamptz,
  escalate_at timestamptz,
  escalated_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, alarm_id) references alarms,
  check (opened_at is not null or (acknowledged_at is null and resolved_at is null))
);
create unique index alarm_triggers_current on alarm_triggers (company_id, alarm_id, device_id, condition) where normal_at is null and withdrawn_at is null;
create index alarm_triggers_of_device on alarm_triggers (company_id, device_id, breach_at desc);
create index alarm_triggers_of_alarm on alarm_triggers (company_id, alarm_id, breach_at desc);
create index alarm_triggers_recent on alarm_triggers (company_id, opened_at desc) where opened_at is not null;
create index alarm_triggers_unresolved on alarm_triggers (company_id, opened_at desc) where opened_at is not null and resolved_at is null;
create index alarm_triggers_due on alarm_triggers (due_at) where opened_at is null and normal_at is null and withdrawn_at is null;
create index alarm_triggers_remind on alarm_triggers (remind_at) where remind_at is not null;
create index alarm_triggers_escalate on alarm_triggers (escalate_at) where escalate_at is not null;
call isolate('alarm_triggers', 'select, update', 'select, insert, update, delete');

-- On which side of a fence a device was by its last certain fix.
create table alarm_fence_sides (
  company_id int4 not null,
  device_id int4 not null,
  -- g<id> or p<id>
  fence text not null,
  side text not null check (side in ('in', 'out')),
  since timestamptz not null,
  primary key (company_id, device_id, fence)
);
call isolate('alarm_fence_sides', 'select', 'select, insert, update, delete');

-- What people are to hear of, written with what caused it; pipeline/notify takes it from here, once.
create table alarm_events (
  company_id int4 not null,
  id int8 generated always as identity,
  kind text not null check (kind in ('opened', 'normal', 'reminder', 'escalated', 'unsnoozed', 'test')),
  alarm_id int8 not null,
  -- Null for a test.
  trigger_id int8,
  at timestamptz not null,
  -- Of a test: who pushed it.
  by_user int8,
  taken_at timestamptz,
  primary key (company_id, id)
);
create index alarm_events_waiting on alarm_events (id) where taken_at is null;
call isolate('alarm_events', 'select, insert', 'select, insert, update, delete');

-- In-app: a line in the notification centre of one person.
create table notifications (
  company_id int4 not null,
  id int8 generated always as identity,
  user_id int8 not null,
  kind text not null check (kind in ('alarmOpened', 'alarmNormal', 'alarmReminder', 'alarmEscalated', 'alarmTest', 'wallet')),
  severity text not null check (severity in ('info', 'warning', 'critical')),
  device_id int4,
  alarm_id int8,
  trigger_id int8,
  -- What the text needs, by kind; the text is made in the reader's language.
  params jsonb not null,
  at timestamptz not null,
  read_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users
);
create index notifications_of_user on notifications (company_id, user_id, at desc);
create index notifications_unread on notifications (company_id, user_id) where read_at is null;
create index notifications_of_device on notifications (company_id, device_id, at desc) where device_id is not null;
call isolate('notifications', 'select, insert, update', 'select, insert, update, delete');

-- A message to one person or address by one channel. key: what makes it this message and no other; it is the idempotency
-- key at the provider. held: until hold_until (quiet hours, a storm); skipped says why nothing is sent.
create table deliveries (
  company_id int4 not null,
  id int8 generated always as identity,
  key text not null,
  channel text not null check (channel in ('mail', 'sms', 'chat', 'webhook')),
  event text not null,
  alarm_id int8,
  user_id int8,
  address text not null,
  locale text not null,
  payload jsonb not null,
  severity text not null,
  is_test boolean not null default false,
  state text not null check (state in ('held', 'queued', 'sending', 'accepted', 'delivered', 'failed', 'skipped')),
  reason text,
  -- Wallet units reserved for it.
  units int4 not null default 0,
  attempts int4 not null default 0,
  next_at timestamptz,
  provider text,
  provider_id text,
  created_at timestamptz not null,
  accepted_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  primary key (company_id, id),
  unique (company_id, key)
);
create index deliveries_due on deliveries (next_at) where state in ('held', 'queued', 'sending');
create index deliveries_provider on deliveries (provider, provider_id) where provider_id is not null;
create index deliveries_recent on deliveries (company_id, created_at desc);
call isolate('deliveries', 'select, insert, update', 'select, insert, update, delete');
-- Which triggers a message told of.
create table delivery_triggers (
  company_id int4 not null,
  delivery_id int8 not null,
  trigger_id int8 not null,
  primary key (company_id, delivery_id, trigger_id),
  foreign key (company_id, delivery_id) references deliveries on delete cascade
);
create index delivery_triggers_trigger on delivery_triggers (company_id, trigger_id);
call isolate('delivery_triggers', 'select', 'select, insert, delete');

-- How a person wants to hear. Quiet hours are local times of the person's zone; null: none.
create table notification_settings (
  company_id int4 not null,
  user_id int8 not null,
  quiet_from text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to text check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  sound boolean not null default false,
  updated_at timestamptz not null,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users,
  check ((quiet_from is null) = (quiet_to is null))
);
call isolate('notification_settings', 'select, insert, update', 'select');

-- Prepaid units of one kind. remaining = balance - reserved, never below zero.
create table wallets (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  kind text not null check (kind in ('sms', 'chat')),
  balance int4 not null default 0 check (balance >= 0),
  reserved int4 not null default 0 check (reserved >= 0 and reserved <= balance),
  warn_below int4 not null default 20 check (warn_below >= 0),
  -- When the Admins were told that it is low or empty; null again once units came in.
  low_told_at timestamptz,
  empty_told_at timestamptz,
  primary key (company_id, id),
  unique (company_id, kind)
);
call isolate('wallets', 'select, insert, update', 'select, insert, update');
-- Every change of a wallet; units are signed as they change the balance (0 for a reservation and its return).
create table wallet_entries (
  company_id int4 not null,
  id int8 generated always as identity,
  wallet_id int8 not null,
  kind text not null check (kind in ('granted', 'bought', 'reserved', 'settled', 'returned', 'adjusted')),
  units int4 not null,
  balance_after int4 not null,
  delivery_id int8,
  alarm_id int8,
  reference text,
  at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, wallet_id) references wallets
);
-- Reserved once, and then settled or returned once.
create unique index wallet_entries_reserved on wallet_entries (company_id, delivery_id) where kind = 'reserved';
create unique index wallet_entries_ended on wallet_entries (company_id, delivery_id) where kind in ('settled', 'returned');
create index wallet_entries_recent on wallet_entries (company_id, wallet_id, at desc);
call isolate('wallet_entries', 'select, insert', 'select, insert');

-- What the lanes must hear of: 'company:<id>' drops all its devices from their memory.
create function note_company_change() returns trigger language plpgsql as $$
begin
  insert into settings_changes (subject) select distinct 'company:' || company_id from changed;
  return null;
end $$;
create trigger alarm_targets_added after insert on alarm_targets
  referencing new table as changed for each statement execute function note_company_change();
create trigger alarm_targets_removed after delete on alarm_targets
  referencing old table as changed for each statement execute function note_company_change();
create trigger group_devices_added after insert on group_devices
  referencing new table as changed for each statement execute function note_company_change();
create trigger group_devices_removed after delete on group_devices
  referencing old table as changed for each statement execute function note_company_change();
create trigger geofences_changed after update on geofences
  referencing new table as changed for each statement execute function note_company_change();
create trigger geofences_removed after delete on geofences
  referencing old table as changed for each statement execute function note_company_change();
create trigger points_of_interest_changed after update on points_of_interest
  referencing new table as changed for each statement execute function note_company_change();
create trigger points_of_interest_removed after delete on points_of_interest
  referencing old table as changed for each statement execute function note_company_change();
create function note_alarm_change() returns trigger language plpgsql as $$
begin
  insert into settings_changes (subject) values ('company:' || new.company_id);
  return null;
end $$;
-- Not for a snooze: that changes who is told, not what is judged.
create trigger alarms_changed after update on alarms for each row
  when (old.rule is distinct from new.rule or old.schedule is distinct from new.schedule or old.rule_from <> new.rule_from
    or old.severity <> new.severity or old.visibility <> new.visibility or old.archived_at is distinct from new.archived_at)
  execute function note_alarm_change();

-- The notifier is woken once what it waits for has committed.
create function announce_alarm_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('alarm_events', '');
  return null;
end $$;
create trigger alarm_events_announced after insert on alarm_events for each statement execute function announce_alarm_events();
