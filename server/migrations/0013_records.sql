-- Named windows over devices, of their own or of a group. start_at and end_at bind to the instant, whenever the sweep comes
-- by: state only says whether it has. destination: {geofenceId, name, area} as the fence was when the record was made.
-- budget: contract/src/records.ts Budget. updated_at: when its window or state last changed.
create table records (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  group_id int8,
  name text not null,
  lot text,
  state text not null check (state in ('planned', 'running', 'ended')),
  start_at timestamptz not null,
  end_at timestamptz,
  ended_by text check (ended_by in ('hand', 'time', 'destination')),
  destination jsonb,
  budget jsonb,
  created_at timestamptz not null,
  created_by int8,
  created_by_name text not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, group_id) references groups,
  check (end_at > start_at),
  check ((state = 'ended') = (ended_by is not null)),
  check (state <> 'ended' or end_at is not null)
);
create index records_start on records (company_id, start_at desc) where archived_at is null;
create index records_lot on records (company_id, lower(lot)) where archived_at is null and lot is not null;
create index records_waiting on records (state) where archived_at is null and state <> 'ended';
call isolate('records', 'select, insert, update', 'select, update');

-- Whose readings a record is of. Of a group's record written when it begins: later members are not part of it.
create table record_devices (
  company_id int4 not null,
  record_id int8 not null,
  device_id int4 not null,
  primary key (company_id, record_id, device_id),
  foreign key (company_id, record_id) references records,
  foreign key (company_id, device_id) references devices
);
create index record_devices_device on record_devices (company_id, device_id);
call isolate('record_devices', 'select, insert', 'select, insert');

create table record_notes (
  company_id int4 not null,
  id int8 generated always as identity,
  record_id int8 not null,
  text text not null,
  created_at timestamptz not null,
  created_by int8 not null,
  created_by_name text not null,
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, record_id) references records
);
create index record_notes_record on record_notes (company_id, record_id) where removed_at is null;
call isolate('record_notes', 'select, insert, update');

-- Files by their content: name is only what somebody called it, file_key where platform/files keeps it.
create table record_attachments (
  company_id int4 not null,
  id int8 generated always as identity,
  record_id int8 not null,
  name text not null,
  type text not null check (type in ('png', 'jpg', 'webp', 'pdf', 'csv', 'txt')),
  size_bytes int4 not null,
  sha256 bytea not null,
  file_key text not null,
  created_at timestamptz not null,
  created_by int8 not null,
  created_by_name text not null,
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, record_id) references records
);
create index record_attachments_record on record_attachments (company_id, record_id) where removed_at is null;
call isolate('record_attachments', 'select, insert, update');

-- Append-only. parts: what was signed, a SHA-256 for each of contract/src/records.ts signedParts; content_sha256 is over
-- them and the signature before, sha256 over that and who, when, meaning and reason. Names are those of then.
create table record_signatures (
  company_id int4 not null,
  id int8 generated always as identity,
  record_id int8 not null,
  signer_id int8 not null,
  signer_name text not null,
  signer_role text not null,
  signed_at timestamptz not null,
  meaning text not null check (meaning in ('reviewed', 'approved', 'rejected')),
  reason text not null,
  parts jsonb not null,
  content_sha256 bytea not null,
  previous_sha256 bytea,
  sha256 bytea not null,
  primary key (company_id, id),
  foreign key (company_id, record_id) references records,
  -- The same content after the same signature is signed once: a request sent again is refused.
  unique nulls not distinct (company_id, record_id, previous_sha256)
);
call isolate('record_signatures', 'select, insert');
