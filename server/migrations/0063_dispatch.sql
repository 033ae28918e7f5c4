-- What a company sends with its own drivers. Degrees are WGS 84; amounts are minor units of the order's currency.

-- People and firms to send from and to. An order keeps a copy of them.
create table contacts (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  company_name text,
  email text,
  -- E.164, and as it was typed.
  phone text,
  phone_typed text,
  address text,
  lat float8 check (lat between -90 and 90),
  lon float8 check (lon between -180 and 180),
  country text check (country ~ '^[A-Z]{2}$'),
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  version int4 not null default 1,
  primary key (company_id, id),
  check ((lat is null) = (lon is null))
);
create index contacts_name on contacts (company_id, lower(name)) where archived_at is null;
create index contacts_phone on contacts (company_id, phone) where archived_at is null and phone is not null;
call isolate('contacts', 'select, insert, update');

create table partners (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  company_name text not null,
  company_address text not null,
  full_name text not null,
  email text not null,
  phone text not null,
  phone_typed text not null,
  state_province text,
  -- Local government area.
  lga text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  version int4 not null default 1,
  primary key (company_id, id)
);
create index partners_name on partners (company_id, lower(company_name)) where archived_at is null;
call isolate('partners', 'select, insert, update');

create table drivers (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  phone text not null,
  phone_typed text not null,
  email text,
  address text,
  status text not null default 'active' check (status in ('active', 'inactive')),
  licence_no text,
  licence_expires_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  version int4 not null default 1,
  primary key (company_id, id)
);
create index drivers_name on drivers (company_id, lower(name)) where archived_at is null;
call isolate('drivers', 'select, insert, update', 'select');

-- plate_key: the letters and digits of the plate, in upper case. device_id: the tracker that is fixed in it.
create table vehicles (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  plate text not null,
  plate_key text not null,
  type text not null check (type in ('truck', 'car', 'motorcycle')),
  device_id int4,
  -- Out of service by hand.
  out_of_service_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  version int4 not null default 1,
  primary key (company_id, id),
  foreign key (company_id, device_id) references devices
);
create unique index vehicles_plate on vehicles (company_id, plate_key) where archived_at is null;
create index vehicles_device on vehicles (company_id, device_id) where device_id is not null;
call isolate('vehicles', 'select, insert, update', 'select');

-- Who drives what, with its history. The database holds that each has one open pair at most.
create table driver_vehicles (
  company_id int4 not null,
  id int8 generated always as identity,
  driver_id int8 not null,
  vehicle_id int8 not null,
  assigned_at timestamptz not null,
  unassigned_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, driver_id) references drivers,
  foreign key (company_id, vehicle_id) references vehicles,
  check (unassigned_at >= assigned_at)
);
create unique index driver_vehicles_driver on driver_vehicles (company_id, driver_id) where unassigned_at is null;
create unique index driver_vehicles_vehicle on driver_vehicles (company_id, vehicle_id) where unassigned_at is null;
call isolate('driver_vehicles', 'select, insert, update', 'select');

-- How a company dispatches; no row: everything as in the defaults. free_minutes: of waiting at a stop, that cost nothing.
create table dispatch_settings (
  company_id int4 primary key references companies,
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Of a delivery, where somebody does not type its price.
  base_fee int8 not null default 0 check (base_fee >= 0),
  fee_per_km int8 not null default 0 check (fee_per_km >= 0),
  fee_per_kg int8 not null default 0 check (fee_per_kg >= 0),
  fee_per_stop int8 not null default 0 check (fee_per_stop >= 0),
  pre_cool_required boolean not null default false,
  -- After the start a device that is still cooling down does not count.
  ignore_minutes int4 not null default 10 check (ignore_minutes between 0 and 240),
  shows_driver_name boolean not null default false,
  free_minutes int4 not null default 60 check (free_minutes between 0 and 1440),
  carriage text not null default 'cmr' check (carriage in ('cmr', 'own')),
  -- Days to give notice of a damage that was not apparent, where carriage is 'own'.
  notice_days int4 not null default 7 check (notice_days between 1 and 365),
  late_mail text,
  updated_at timestamptz not null,
  version int4 not null default 1
);
call isolate('dispatch_settings', 'select, insert, update', 'select');

-- state changes by one conditional update each. sender, receivers, driver and plate are copies: evidence keeps the names of its time.
-- sender: {contactId, name, company, email, phone, address}. price: contract/src/orders.ts PriceSummary. budget: record-budget.ts Budget.
create table orders (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  -- Nine characters of Crockford's base32, the last one a check.
  tracking_code text not null check (tracking_code ~ '^[0-9A-HJKMNP-TV-Z]{9}$'),
  state text not null default 'new' check (state in ('new', 'inProgress', 'completed', 'cancelled')),
  reference text,
  sender jsonb not null,
  pickup_address text not null,
  pickup_lat float8 not null check (pickup_lat between -90 and 90),
  pickup_lon float8 not null check (pickup_lon between -180 and 180),
  pickup_radius_m int4 not null check (pickup_radius_m between 20 and 50000),
  pickup_zone text not null,
  pickup_country text check (pickup_country ~ '^[A-Z]{2}$'),
  pickup_at timestamptz,
  deliver_by timestamptz not null,
  start_rule text not null default 'hand' check (start_rule in ('hand', 'fence', 'or', 'and')),
  end_rule text not null default 'hand' check (end_rule in ('hand', 'fence', 'or', 'and')),
  driver_id int8,
  vehicle_id int8,
  -- Of the start.
  driver_name text,
  plate text,
  record_id int8,
  lot text,
  budget jsonb,
  -- Receivers and drivers see the conditions of private devices, too.
  shows_private boolean not null default false,
  currency text check (currency ~ '^[A-Z]{3}$'),
  price jsonb,
  note text,
  -- Since when its devices are at the pick-up or gone from it, as the fixes say; and who has pressed the button, for the rule 'and'.
  left_pickup_at timestamptz,
  start_asked_at timestamptz,
  end_asked_at timestamptz,
  -- Up to when the fixes of its devices were looked at.
  fences_seen_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  return_to text,
  created_at timestamptz not null,
  created_by int8 not null,
  created_by_name text not null,
  updated_at timestamptz not null,
  version int4 not null default 1,
  primary key (company_id, id),
  foreign key (company_id, driver_id) references drivers,
  foreign key (company_id, vehicle_id) references vehicles,
  foreign key (company_id, record_id) references records,
  check (state in ('new', 'cancelled') or started_at is not null),
  check ((state = 'completed') = (ended_at is not null)),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check (ended_at >= started_at)
);
create unique index orders_code on orders (company_id, tracking_code);
create index orders_newest on orders (company_id, created_at desc);
create index orders_by_state on orders (company_id, state, deliver_by);
create index orders_driver on orders (company_id, driver_id, created_at desc) where driver_id is not null;
create index orders_vehicle on orders (company_id, vehicle_id) where vehicle_id is not null;
create index orders_record on orders (company_id, record_id) where record_id is not null;
create index orders_open on orders (state) where state in ('new', 'inProgress');
call isolate('orders', 'select, insert, update', 'select, update');

-- A stop where something is handed over.
create table order_receivers (
  company_id int4 not null,
  id int8 generated always as identity,
  order_id int8 not null,
  sequence int2 not null check (sequence > 0),
  contact_id int8,
  name text not null,
  company_name text,
  email text,
  phone text,
  address text not null,
  lat float8 not null check (lat between -90 and 90),
  lon float8 not null check (lon between -180 and 180),
  radius_m int4 not null check (radius_m between 20 and 50000),
  zone text not null,
  country text check (country ~ '^[A-Z]{2}$'),
  -- The receiver's language, for mails; null: the company's.
  locale text check (locale in ('en', 'fr', 'es', 'sw')),
  window_from timestamptz,
  window_by timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'arrived', 'delivered', 'partlyDelivered', 'refused', 'failed', 'cancelled')),
  snoozed_until timestamptz,
  snooze_reason text,
  -- contract/src/orders.ts Eta, as it was worked out last.
  eta jsonb,
  late_told_at timestamptz,
  arrived_at timestamptz,
  departed_at timestamptz,
  settled_at timestamptz,
  outcome_reason text,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders,
  unique (company_id, order_id, sequence),
  check (window_by > window_from),
  check ((state in ('waiting', 'arrived')) = (settled_at is null)),
  check (snoozed_until is null or settled_at is null)
);
create index order_receivers_snoozed on order_receivers (snoozed_until) where snoozed_until is not null;
call isolate('order_receivers', 'select, insert, update', 'select, update');

create table order_items (
  company_id int4 not null,
  id int8 generated always as identity,
  order_id int8 not null,
  receiver_id int8 not null,
  name text not null,
  quantity int4 not null check (quantity between 1 and 1000000),
  -- The number of items in each.
  unit_count int4 not null default 1 check (unit_count between 1 and 1000000),
  weight_g int8 check (weight_g > 0),
  worth int8 check (worth >= 0),
  note text,
  delivered_quantity int4 check (delivered_quantity between 0 and quantity),
  refused_reason text,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders,
  foreign key (company_id, receiver_id) references order_receivers
);
create index order_items_order on order_items (company_id, order_id);
call isolate('order_items', 'select, insert, update');

-- is_running: the order is in progress. A cargo device is on one of those at most, which the database holds.
create table order_devices (
  company_id int4 not null,
  order_id int8 not null,
  device_id int4 not null,
  role text not null check (role in ('cargo', 'vehicle')),
  -- The box is for this receiver.
  receiver_id int8,
  is_running boolean not null default false,
  primary key (company_id, order_id, device_id),
  foreign key (company_id, order_id) references orders,
  foreign key (company_id, device_id) references devices,
  foreign key (company_id, receiver_id) references order_receivers
);
create index order_devices_device on order_devices (company_id, device_id);
create unique index order_devices_cargo on order_devices (company_id, device_id) where is_running and role = 'cargo';
call isolate('order_devices', 'select, insert, update, delete', 'select, update');

-- Append-only. occurred_at: when it happened, in the zone of its place; recorded_at: when the server heard of it.
-- request_id: made by a driver's phone, so that what is sent twice is kept once.
create table order_events (
  company_id int4 not null,
  id int8 generated always as identity,
  order_id int8 not null,
  kind text not null,
  occurred_at timestamptz not null,
  occurred_zone text not null,
  recorded_at timestamptz not null,
  source text not null check (source in ('person', 'driverLink', 'receiverLink', 'geofence', 'device', 'insurer', 'job')),
  by_name text,
  user_id int8,
  receiver_id int8,
  device_id int4,
  lat float8,
  lon float8,
  detail jsonb not null default '{}',
  request_id uuid,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders
);
create index order_events_order on order_events (company_id, order_id, occurred_at, id);
create unique index order_events_request on order_events (company_id, order_id, request_id) where request_id is not null;
call isolate('order_events', 'select, insert', 'select, insert');

-- Addresses by which a driver or a receiver opens a page without a login. The token is derived from the installation's secret, the order, the
-- link and its generation; rotating raises the generation.
create table order_links (
  company_id int4 not null,
  id int8 generated always as identity,
  order_id int8 not null,
  kind text not null check (kind in ('driver', 'receiver')),
  receiver_id int8,
  driver_id int8,
  generation int4 not null default 1,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_read_at timestamptz,
  -- The driver agreed that the phone tells its position.
  position_agreed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders,
  foreign key (company_id, receiver_id) references order_receivers,
  foreign key (company_id, driver_id) references drivers,
  check ((kind = 'receiver') = (receiver_id is not null)),
  check ((kind = 'driver') = (driver_id is not null))
);
create unique index order_links_token on order_links (token_hash, company_id);
create unique index order_links_receiver on order_links (company_id, receiver_id) where receiver_id is not null and revoked_at is null;
create unique index order_links_driver on order_links (company_id, order_id, driver_id) where driver_id is not null and revoked_at is null;
call isolate('order_links', 'select, insert, update', 'select, update, delete');

-- The goods change hands at a stop. verdict: what was known then, which content_sha256 binds with the readings; void_at: late data changed it.
create table handovers (
  company_id int4 not null,
  id int8 generated always as identity,
  order_id int8 not null,
  receiver_id int8 not null,
  outcome text not null check (outcome in ('delivered', 'partlyDelivered', 'refused', 'failed')),
  reservation text,
  reason text,
  signer_name text,
  signer_role text,
  source text not null check (source in ('person', 'driverLink', 'receiverLink')),
  by_name text,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  lat float8,
  lon float8,
  verdict jsonb not null,
  content_sha256 bytea not null,
  signature_key text,
  signature_sha256 bytea,
  void_at timestamptz,
  void_reason text,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders,
  foreign key (company_id, receiver_id) references order_receivers
);
create unique index handovers_standing on handovers (company_id, receiver_id) where void_at is null;
create index handovers_order on handovers (company_id, order_id);
call isolate('handovers', 'select, insert, update', 'select, update');

create table handover_photos (
  company_id int4 not null,
  id int8 generated always as identity,
  handover_id int8 not null,
  file_key text not null,
  type text not null check (type in ('png', 'jpg', 'webp')),
  size_bytes int4 not null,
  sha256 bytea not null,
  primary key (company_id, id),
  foreign key (company_id, handover_id) references handovers
);
create index handover_photos_of on handover_photos (company_id, handover_id);
call isolate('handover_photos', 'select, insert', 'select');

-- What the operator's insurers offer. rate: parts of ten thousand of the worth.
create table insurance_plans (
  id int4 generated always as identity primary key,
  name text not null,
  insurer text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  rate_bp int4 not null check (rate_bp between 1 and 10000),
  min_premium int8 not null default 0 check (min_premium >= 0),
  min_worth int8 not null default 0 check (min_worth >= 0),
  max_worth int8 not null check (max_worth > min_worth),
  deductible int8 not null default 0 check (deductible >= 0),
  products text,
  -- Words of the policy on temperature.
  temperature_clause text,
  lead_hours int4 not null default 24 check (lead_hours >= 0),
  countries text[] not null default '{}',
  created_at timestamptz not null,
  retired_at timestamptz
);

create table order_insurances (
  company_id int4 not null,
  id int8 generated always as identity,
  order_id int8 not null,
  plan_id int4 not null references insurance_plans,
  -- The plan as it was then.
  plan jsonb not null,
  -- Our name of it at the insurer.
  reference uuid not null,
  worth int8 not null,
  premium int8 not null,
  currency text not null,
  state text not null check (state in ('requested', 'certified', 'declined', 'void')),
  policy_number text,
  valid_from timestamptz,
  valid_to timestamptz,
  certificate_key text,
  certificate_sha256 bytea,
  certified_by text,
  requested_at timestamptz not null,
  settled_at timestamptz,
  void_reason text,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders
);
create unique index order_insurances_live on order_insurances (company_id, order_id) where state in ('requested', 'certified');
create unique index order_insurances_reference on order_insurances (reference, company_id);
call isolate('order_insurances', 'select, insert, update', 'select, update');

-- Orders to begin from again. body: contract/src/orders.ts NewOrder without its dates.
create table order_templates (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  body jsonb not null,
  created_at timestamptz not null,
  created_by_name text not null,
  primary key (company_id, id)
);
create unique index order_templates_name on order_templates (company_id, lower(name));
call isolate('order_templates', 'select, insert, update, delete');

-- Legs that are over: estimates of arrivals learn from them. service_s: from the arrival to the departure, once that is known.
create table order_legs (
  company_id int4 not null,
  id int8 generated always as identity,
  order_id int8 not null,
  receiver_id int8 not null,
  vehicle_id int8,
  departed_at timestamptz not null,
  arrived_at timestamptz not null check (arrived_at > departed_at),
  -- Great circle.
  distance_m int4 not null check (distance_m >= 0),
  local_hour int2 not null check (local_hour between 0 and 23),
  is_weekend boolean not null,
  service_s int4 check (service_s >= 0),
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders,
  unique (company_id, receiver_id)
);
create index order_legs_newest on order_legs (company_id, arrived_at desc);
call isolate('order_legs', 'select, insert, update', 'select, insert, update');
