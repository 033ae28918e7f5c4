-- The provider's catalogue and price list: no company's, read and written as the login role only.
create table plans (
  id int4 generated always as identity primary key,
  code text not null unique check (code ~ '^[a-z0-9-]{1,40}$'),
  name text not null,
  devices int4 not null check (devices between 1 and 100000),
  users int4 not null check (users between 1 and 100000),
  emails int4 not null check (emails between 0 and 100000),
  phones int4 not null check (phones between 0 and 100000),
  retention_months int4 not null check (retention_months between 1 and 600),
  created_at timestamptz not null,
  archived_at timestamptz
);

-- Net, in minor units. A price is never edited: it ends, and another row begins.
create table plan_prices (
  plan_id int4 not null references plans,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  cadence text not null check (cadence in ('monthly', 'annually')),
  amount int8 not null check (amount between 0 and 1000000000000),
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  primary key (plan_id, currency, cadence, valid_from),
  exclude using gist (plan_id with =, currency with =, cadence with =, tstzrange(valid_from, valid_to) with &&)
);

-- What so many units cost: a bundle, or the rate of any other number, where units says how many the amount is for.
create table unit_prices (
  kind text not null check (kind in ('sms', 'chat')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  units int4 not null check (units between 1 and 1000000),
  is_bundle boolean not null,
  amount int8 not null check (amount between 1 and 1000000000000),
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  primary key (kind, currency, units, is_bundle, valid_from),
  exclude using gist (kind with =, currency with =, units with =, (is_bundle::int) with =,
    tstzrange(valid_from, valid_to) with &&)
);

-- The units that a message costs in a country, for each of its segments; 1 where the country is not named.
create table unit_weights (
  kind text not null check (kind in ('sms', 'chat')),
  country text not null check (country ~ '^[A-Z]{2}$'),
  weight int4 not null check (weight between 1 and 1000),
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  primary key (kind, country, valid_from),
  exclude using gist (kind with =, country with =, tstzrange(valid_from, valid_to) with &&)
);

-- Several of one country count together. valid_to is not a day of the rate any more.
create table tax_rates (
  country text not null check (country ~ '^[A-Z]{2}$'),
  name text not null,
  basis_points int4 not null check (basis_points between 0 and 10000),
  valid_from date not null,
  valid_to date check (valid_to > valid_from),
  primary key (country, name, valid_from),
  exclude using gist (country with =, name with =, daterange(valid_from, valid_to) with &&)
);

-- The operator, as invoices name them. One row.
create table seller (
  is_seller boolean primary key default true check (is_seller),
  name text not null,
  address text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  tax_number text,
  email text,
  changed_at timestamptz not null
);

-- Each change that the provider's desk made to what belongs to no company.
create table desk_log (
  id int8 generated always as identity primary key,
  at timestamptz not null,
  operator text not null,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb
);
create index desk_log_recent on desk_log (at desc);

-- A licence comes from a key, is the trial of a new company, or is what a subscription pays for. It may begin later than it was taken:
-- with its first device, or at starts_at. It has the numbers that its plan had when it was taken: who changes a plan changes nothing
-- that was sold. Null: no limit, as of a key without a plan.
alter table licences alter column key_hash drop not null;
alter table licences add column source text not null default 'key' check (source in ('key', 'trial', 'subscription'));
alter table licences add column plan_id int4 references plans;
alter table licences add column plan_name text;
alter table licences add column users int4;
alter table licences add column emails int4;
alter table licences add column phones int4;
alter table licences add column retention_months int4;
alter table licences add check ((source = 'key') = (key_hash is not null));
create unique index licences_trial on licences (company_id) where source = 'trial';
alter table licence_keys add column plan_id int4 references plans;

-- The end of the trial; null where there was none, or nothing is sold. Only the function that writes subscription_until writes it.
alter table companies add column trial_until timestamptz;
