-- What a company ships to other countries. Degrees are WGS 84; temperatures are hundredths of a degree Celsius.

-- Sea ports and airports of the world. Every start of a server loads them from the file of its version; nobody else writes them.
-- code: UN/LOCODE for sea ports, IATA for airports.
create table ports (
  kind text not null check (kind in ('sea', 'air')),
  code text not null,
  name text not null,
  aliases text[] not null default '{}',
  country text not null check (country ~ '^[A-Z]{2}$'),
  lat float8 check (lat between -90 and 90),
  lon float8 check (lon between -180 and 180),
  zone text,
  -- A circle around the terminal, where it was checked by hand; null: arrivals are not seen by it.
  radius_m int4 check (radius_m between 100 and 50000),
  source text not null,
  -- Closed ports stay for the shipments that name them.
  retired_at timestamptz,
  -- Name, code and aliases in lower case, without accents.
  search text not null,
  primary key (kind, code)
);
grant select on ports to app, pipeline;

-- Where shipments come from and go to. A shipment has a copy of both.
create table shipment_places (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  kind text not null check (kind in ('origin', 'destination')),
  name text not null,
  region text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  person_of_contact text,
  company_name text,
  address text,
  lat float8 check (lat between -90 and 90),
  lon float8 check (lon between -180 and 180),
  -- Around lat and lon: devices that come in have arrived.
  radius_m int4 check (radius_m between 20 and 50000),
  zone text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  version int4 not null default 1,
  primary key (company_id, id),
  check ((lat is null) = (lon is null)),
  check (radius_m is null or lat is not null)
);
create unique index shipment_places_name on shipment_places (company_id, kind, lower(name)) where archived_at is null;
call isolate('shipment_places', 'select, insert, update', 'select');

create table shipment_place_ports (
  company_id int4 not null,
  place_id int8 not null,
  kind text not null,
  code text not null,
  primary key (company_id, place_id, kind, code),
  foreign key (company_id, place_id) references shipment_places,
  foreign key (kind, code) references ports
);
call isolate('shipment_place_ports', 'select, insert, delete', 'select');

-- How a company exports; no row: everything as in the defaults.
-- regimes: contract/src/export-settings.ts Regime[]. capture_secret is sealed.
create table export_settings (
  company_id int4 primary key references companies,
  gs1_prefix text check (gs1_prefix ~ '^[0-9]{6,12}$'),
  gln text check (gln ~ '^[0-9]{13}$'),
  regimes jsonb not null default '[]',
  -- Protocols of cold treatment that nobody has verified against their source may be chosen.
  allows_unverified boolean not null default false,
  -- Devices of a shipment that departs by air go into flight mode.
  flight_mode boolean not null default true,
  capture_url text,
  capture_header text,
  capture_secret bytea,
  updated_at timestamptz not null,
  version int4 not null default 1
);
call isolate('export_settings', 'select, insert, update', 'select');

-- number: S-000123 in writing, without gaps by refused uploads. origin, destination, partner: copies, contract/src/shipments.ts.
-- state changes by one conditional update each.
create table shipments (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  number int4 not null check (number > 0),
  state text not null default 'pending' check (state in ('pending', 'ongoing', 'completed', 'cancelled')),
  logistics text not null check (logistics in ('internal', 'external')),
  reference text,
  product text not null,
  variety text,
  hs_code text check (hs_code ~ '^[0-9]{6}([0-9]{2}){0,2}$'),
  incoterm text,
  incoterm_place text,
  pallets int4 check (pallets between 1 and 10000),
  gross_weight_g int8 check (gross_weight_g > 0),
  origin_id int8 not null,
  origin jsonb not null,
  destination_id int8 not null,
  destination jsonb not null,
  region text,
  country text check (country ~ '^[A-Z]{2}$'),
  person_of_contact text,
  partner_id int8,
  partner jsonb,
  -- Carrying temperature: set point and limits.
  set_point_c int4,
  min_c int4,
  max_c int4,
  regime_code text,
  -- A day at the origin.
  loading_on date,
  departure_on date,
  note text,
  -- Mandatory data of loading a refrigerated container: contract/src/shipments.ts PpecbLoading.
  ppecb jsonb,
  record_id int8,
  lot text,
  budget jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  -- Up to when the fixes of its devices were looked at.
  fences_seen_at timestamptz,
  created_at timestamptz not null,
  created_by int8 not null,
  created_by_name text not null,
  updated_at timestamptz not null,
  version int4 not null default 1,
  primary key (company_id, id),
  foreign key (company_id, origin_id) references shipment_places,
  foreign key (company_id, destination_id) references shipment_places,
  foreign key (company_id, partner_id) references partners,
  foreign key (company_id, record_id) references records,
  unique (company_id, number),
  check (min_c <= max_c),
  check (state in ('pending', 'cancelled') or started_at is not null),
  check ((state = 'completed') = (ended_at is not null)),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check (ended_at >= started_at)
);
create unique index shipments_reference on shipments (company_id, lower(reference)) where reference is not null and state <> 'cancelled';
create index shipments_newest on shipments (company_id, id desc);
create index shipments_by_state on shipments (company_id, state, id desc);
create index shipments_open on shipments (state) where state in ('pending', 'ongoing');
create index shipments_record on shipments (company_id, record_id) where record_id is not null;
call isolate('shipments', 'select, insert, update', 'select, update');

-- The last number that a company has used. Locked by whoever takes the next one.
create table shipment_numbers (
  company_id int4 primary key references companies,
  last int4 not null default 0
);
call isolate('shipment_numbers', 'select, insert, update');

-- The way of a shipment, by sequence. Planned (etd, eta) and actual (atd, ata) instants; a leg whose container missed the vessel is rolled over.
create table shipment_legs (
  company_id int4 not null,
  id int8 generated always as identity,
  shipment_id int8 not null,
  sequence int2 not null check (sequence between 1 and 20),
  mode text not null check (mode in ('sea', 'air', 'road', 'rail')),
  from_port text,
  to_port text,
  -- Where the leg begins and ends, as written, with the zone in which its times are said.
  from_name text,
  to_name text,
  from_zone text not null,
  to_zone text not null,
  vessel_name text,
  imo text check (imo ~ '^[0-9]{7}$'),
  voyage text,
  carrier_code text,
  carrier_name text,
  flight_number text,
  awb text check (awb ~ '^[0-9]{11}$'),
  house_awb text,
  booking_number text,
  container_no text,
  -- Somebody insists on a number whose check digit is wrong.
  container_unchecked boolean not null default false,
  awb_unchecked boolean not null default false,
  seal_no text,
  etd timestamptz,
  eta timestamptz,
  atd timestamptz,
  ata timestamptz,
  rolled_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, shipment_id) references shipments,
  unique (company_id, shipment_id, sequence)
);
create index shipment_legs_container on shipment_legs (company_id, container_no) where container_no is not null;
call isolate('shipment_legs', 'select, insert, update, delete', 'select, update');

-- place: where the device measures. pulp1 to pulp12 are probes in fruit: a cold treatment counts by them alone.
create table shipment_devices (
  company_id int4 not null,
  shipment_id int8 not null,
  device_id int4 not null,
  place text not null check (place ~ '^(air|return|pallet|pulp([1-9]|1[0-2]))$'),
  pallet_ref text,
  sscc text check (sscc ~ '^[0-9]{18}$'),
  is_running boolean not null default false,
  primary key (company_id, shipment_id, device_id),
  foreign key (company_id, shipment_id) references shipments,
  foreign key (company_id, device_id) references devices
);
create index shipment_devices_device on shipment_devices (company_id, device_id);
create unique index shipment_devices_running on shipment_devices (company_id, device_id) where is_running;
create unique index shipment_devices_probe on shipment_devices (company_id, shipment_id, place) where place like 'pulp%';
call isolate('shipment_devices', 'select, insert, update, delete', 'select, update');

-- Append-only. kind: contract/src/shipments.ts ShipmentEventKind. occurred_at: when it happened, in the zone of its place;
-- recorded_at: when the server heard of it. corrects: the event that this one takes the place of.
create table shipment_events (
  company_id int4 not null,
  id int8 generated always as identity,
  shipment_id int8 not null,
  leg_id int8,
  kind text not null,
  occurred_at timestamptz not null,
  occurred_zone text not null,
  recorded_at timestamptz not null,
  source text not null check (source in ('person', 'geofence', 'device', 'epcis', 'job')),
  by_name text,
  user_id int8,
  device_id int4,
  port_code text,
  place_name text,
  lat float8,
  lon float8,
  detail jsonb not null default '{}',
  corrects int8,
  primary key (company_id, id),
  foreign key (company_id, shipment_id) references shipments
);
create index shipment_events_of on shipment_events (company_id, shipment_id, occurred_at, id);
call isolate('shipment_events', 'select, insert', 'select, insert');

-- A document and its versions: the newest of a document_no is the current one.
create table shipment_documents (
  company_id int4 not null,
  id int8 generated always as identity,
  shipment_id int8 not null,
  document_no int4 not null,
  version int4 not null check (version > 0),
  kind text not null,
  title text not null,
  file_key text not null,
  type text not null check (type in ('pdf', 'png', 'jpg', 'webp', 'xlsx', 'csv', 'json', 'xml')),
  size_bytes int4 not null,
  sha256 bytea not null,
  added_at timestamptz not null,
  added_by int8 not null,
  added_by_name text not null,
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, shipment_id) references shipments,
  unique (company_id, shipment_id, document_no, version)
);
call isolate('shipment_documents', 'select, insert, update', 'select');

-- Addresses by which a consignee or a clearing agent opens a page without a login. The token is derived as those of orders are.
create table shipment_links (
  company_id int4 not null,
  id int8 generated always as identity,
  shipment_id int8 not null,
  label text not null,
  locale text check (locale in ('en', 'fr', 'es', 'sw')),
  shows_documents boolean not null default false,
  generation int4 not null default 1,
  token_hash bytea not null,
  created_at timestamptz not null,
  created_by_name text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_read_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, shipment_id) references shipments
);
create unique index shipment_links_token on shipment_links (token_hash, company_id);
create index shipment_links_of on shipment_links (company_id, shipment_id);
call isolate('shipment_links', 'select, insert, update', 'select, update, delete');

-- The treatment that a shipment's probes shall prove. protocol: as it was when it was chosen. clock: contract/src/cold-treatments.ts
-- TreatmentClock, as it was worked out last, from readings up to seen_at.
create table cold_treatments (
  company_id int4 not null,
  shipment_id int8 not null,
  protocol_id text not null,
  protocol jsonb not null,
  -- Where an official has said that a stretch without readings counts: [{from, to, by, note}].
  verified_gaps jsonb not null default '[]',
  clock jsonb,
  seen_at timestamptz,
  told_state text,
  chosen_at timestamptz not null,
  chosen_by_name text not null,
  updated_at timestamptz not null,
  version int4 not null default 1,
  primary key (company_id, shipment_id),
  foreign key (company_id, shipment_id) references shipments
);
call isolate('cold_treatments', 'select, insert, update, delete', 'select, update');

-- Certificates of probes and trackers. points: [{referenceC, readingC, uncertaintyC}], in degrees. offset_c: reading less truth at 0 degrees,
-- hundredths; what is corrected is the reading less the offset.
create table calibrations (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  device_id int4 not null,
  channel text,
  certificate_no text not null,
  laboratory text not null,
  calibrated_on date not null,
  due_on date not null,
  offset_c int4,
  points jsonb not null default '[]',
  note text,
  file_key text,
  file_sha256 bytea,
  file_size int4,
  due_told_on date,
  created_at timestamptz not null,
  created_by int8 not null,
  created_by_name text not null,
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, device_id) references devices,
  check (due_on > calibrated_on)
);
create index calibrations_device on calibrations (company_id, device_id, calibrated_on desc) where removed_at is null;
create index calibrations_due on calibrations (due_on) where removed_at is null;
call isolate('calibrations', 'select, insert, update', 'select, update');

-- A document of events on its way to a receiver's capture interface. body stays in the file store.
create table epcis_pushes (
  company_id int4 not null,
  id int8 generated always as identity,
  shipment_id int8 not null,
  state text not null check (state in ('waiting', 'sent', 'accepted', 'failed')),
  events int4 not null,
  file_key text not null,
  sha256 bytea not null,
  url text not null,
  -- The receiver's name of it, by which its outcome is asked for.
  location text,
  attempts int4 not null default 0,
  last_status int4,
  last_error text,
  next_at timestamptz,
  created_at timestamptz not null,
  created_by_name text not null,
  settled_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, shipment_id) references shipments
);
create index epcis_pushes_due on epcis_pushes (next_at) where next_at is not null;
create index epcis_pushes_of on epcis_pushes (company_id, shipment_id, id desc);
call isolate('epcis_pushes', 'select, insert, update', 'select, update');
