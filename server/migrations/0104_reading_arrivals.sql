-- Whether a company's readings are noted in the order of their arrival, which an export by cursor follows, and the number of the last arrival.
create table reading_feeds (
  company_id int4 primary key references companies,
  is_on boolean not null,
  -- Another one each time that it is switched on: cursors of before are over.
  epoch uuid not null default gen_random_uuid(),
  last_number int8 not null default 0,
  -- Every transaction that may not have known that it is on has ended.
  is_settled boolean not null default false,
  since timestamptz not null,
  -- When it was last read, to the hour.
  read_at timestamptz not null
);
call isolate('reading_feeds', 'select, insert, update', 'select, update');

-- What one transaction of the pipeline brought of one company: written with its readings, numbered after its commit. No foreign key: it is written
-- with readings. xid is the transaction's, which its readings carry as xmin; received_from and received_to are the bounds of their received_at.
create table reading_arrivals (
  company_id int4 not null,
  id int8 generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  received_from timestamptz not null,
  received_to timestamptz not null,
  -- The keys of its readings, two columns of equal length.
  device_ids int4[] not null,
  measured_at timestamptz[] not null,
  number int8,
  numbered_at timestamptz,
  -- A cursor names it with the number: after a restore of the database the same number is another arrival.
  stamp int4 not null default floor(random() * 2147483647),
  primary key (company_id, id),
  check ((number is null) = (numbered_at is null))
);
create unique index reading_arrivals_number on reading_arrivals (company_id, number) where number is not null;
create index reading_arrivals_unnumbered on reading_arrivals (company_id, id) where number is null;
call isolate('reading_arrivals', 'select, update', 'select, insert, delete');
