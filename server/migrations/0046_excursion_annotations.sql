-- The causes that a company chooses from. `code`: one of contract/src/excursions.ts, kept here once somebody has used or changed it,
-- and told in the reader's language while it has no name. A cause is retired, never deleted: past excursions keep it.
create table excursion_causes (
  company_id int4 not null,
  id int8 generated always as identity,
  code text,
  name text,
  retired_at timestamptz,
  primary key (company_id, id),
  check (code is not null or name is not null)
);
create unique index excursion_causes_code on excursion_causes (company_id, code) where code is not null;
call isolate('excursion_causes', 'select, insert, update');

-- The cause, note and owner that people gave to an excursion. Late readings may move, join, split and remove excursions, so an annotation
-- does not name one: `covers` is from its first reading outside to its last, and it belongs to each excursion of the same device,
-- measure and side with a reading outside in there. Those of one device, measure and side do not overlap.
create table excursion_annotations (
  company_id int4 not null,
  id int8 generated always as identity,
  device_id int4 not null,
  measure text not null check (measure in ('temperature', 'humidity')),
  side text not null check (side in ('above', 'below')),
  covers tstzmultirange not null check (not isempty(covers)),
  cause_id int8,
  note text,
  owner_id int8,
  changed_at timestamptz not null,
  changed_by int8 not null,
  primary key (company_id, id),
  foreign key (company_id, device_id) references devices,
  foreign key (company_id, cause_id) references excursion_causes,
  foreign key (company_id, owner_id) references users,
  foreign key (company_id, changed_by) references users,
  check (num_nonnulls(cause_id, note, owner_id) > 0)
);
create index excursion_annotations_of_device on excursion_annotations (company_id, device_id, measure, side);
call isolate('excursion_annotations', 'select, insert, update, delete');
