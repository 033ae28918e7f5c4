-- Whether a company's events are written, and the number of the last one: events are numbered one company at a time, after the commit of what
-- happened, so that nobody who reads in their order misses one.
create table event_feeds (
  company_id int4 primary key references companies,
  is_on boolean not null,
  last_sequence int8 not null default 0,
  -- Since when events are written.
  since timestamptz not null,
  -- When the feed was last read, to the day.
  read_at timestamptz
);
call isolate('event_feeds', 'select, insert, update', 'select, update');

-- The events of a company: written in the transaction of what happened, once for each key. Without a sequence it is not numbered yet.
create table company_events (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  message_id uuid not null default gen_random_uuid(),
  type text not null,
  event_key text not null,
  data jsonb not null,
  -- What it tells of: judged by who may see these whenever it is read or sent.
  device_ids int4[],
  alarm_id int8,
  group_id int8,
  -- Set for a test: it is for that endpoint alone.
  endpoint_id int8,
  sequence int8,
  at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, event_key)
);
create unique index company_events_sequence on company_events (company_id, sequence) where sequence is not null;
create index company_events_unnumbered on company_events (company_id, id) where sequence is null;
create index company_events_at on company_events (company_id, at);
call isolate('company_events', 'select, insert', 'select, insert, update, delete');

create table webhook_endpoints (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  url text not null,
  description text not null,
  events text[] not null,
  sees_private boolean not null,
  state text not null check (state in ('on', 'off', 'disabled')),
  -- Why the sender disabled it.
  reason text check (reason in ('gone', 'failing')),
  state_since timestamptz not null,
  failing_since timestamptz,
  last_delivered_at timestamptz,
  -- When the Admins were told that it fails.
  warned_at timestamptz,
  created_at timestamptz not null,
  created_by int8 not null,
  -- As the person was called then.
  created_by_name text not null,
  archived_at timestamptz,
  version int4 not null default 1,
  primary key (company_id, id),
  check ((state = 'disabled') = (reason is not null))
);
call isolate('webhook_endpoints', 'select, insert, update', 'select, update');

-- The keys that sign for an endpoint, sealed with the installation's secret; two while one replaces the other.
create table webhook_secrets (
  company_id int4 not null,
  id int8 generated always as identity,
  endpoint_id int8 not null,
  secret_sealed bytea,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, endpoint_id) references webhook_endpoints
);
create index webhook_secrets_of_endpoint on webhook_secrets (company_id, endpoint_id);
call isolate('webhook_secrets', 'select, insert, update, delete', 'select, delete');

create table webhook_deliveries (
  company_id int4 not null,
  id int8 generated always as identity,
  event_id int8 not null,
  endpoint_id int8 not null,
  state text not null check (state in ('waiting', 'sending', 'delivered', 'failed', 'cancelled', 'hidden')),
  attempts int2 not null default 0,
  next_at timestamptz,
  is_replay boolean not null default false,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, event_id) references company_events on delete cascade,
  foreign key (company_id, endpoint_id) references webhook_endpoints,
  check ((state in ('waiting', 'sending')) = (next_at is not null))
);
create unique index webhook_deliveries_once on webhook_deliveries (company_id, event_id, endpoint_id) where not is_replay;
create index webhook_deliveries_due on webhook_deliveries (company_id, endpoint_id, next_at) where next_at is not null;
create index webhook_deliveries_recent on webhook_deliveries (company_id, id desc);
create index webhook_deliveries_of_event on webhook_deliveries (company_id, event_id);
call isolate('webhook_deliveries', 'select, insert, update', 'select, insert, update, delete');

create table webhook_attempts (
  company_id int4 not null,
  delivery_id int8 not null,
  n int2 not null,
  at timestamptz not null,
  took_ms int4 not null,
  status int2,
  error text,
  answer text,
  -- The headers that differ from attempt to attempt.
  stamp int8,
  signature text,
  primary key (company_id, delivery_id, n),
  foreign key (company_id, delivery_id) references webhook_deliveries on delete cascade
);
call isolate('webhook_attempts', 'select, insert', 'select, insert, delete');

-- How devices stood when somebody was last told of it: offline and online are what the clock says, not a reading.
create table device_event_states (
  company_id int4 not null,
  device_id int4 not null,
  state text not null check (state in ('online', 'offline', 'expired', 'other')),
  primary key (company_id, device_id),
  foreign key (company_id, device_id) references devices on delete cascade
);
call isolate('device_event_states', 'select', 'select, insert, update, delete');
