-- How a company is written on invoices, and the currency it pays in.
create table billing_accounts (
  company_id int4 primary key references companies,
  name text not null,
  address text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  tax_number text,
  -- Stays as it is from the first payment on.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The zone whose year an invoice's number has.
  zone text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
call isolate('billing_accounts', 'select, insert, update');

-- What a company buys, with its price, taxes and buyer as they were when it was asked for. Amounts are minor units. Paid once.
create table purchases (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  purpose text not null check (purpose in ('units')),
  unit_kind text check (unit_kind in ('sms', 'chat')),
  units int4 check (units between 1 and 1000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  net int8 not null check (net > 0),
  tax int8 not null check (tax >= 0),
  total int8 not null,
  taxes jsonb not null,
  buyer jsonb not null,
  asked_by int8 not null,
  created_at timestamptz not null,
  paid_at timestamptz,
  primary key (company_id, id),
  check (total = net + tax),
  check ((purpose = 'units') = (unit_kind is not null and units is not null))
);
create index purchases_recent on purchases (company_id, created_at desc);
call isolate('purchases', 'select, insert, update');

-- One try to pay a purchase. Until the payment provider was asked, it is created; cancelled is what nobody seems to pay any more,
-- and may succeed late; review is paid money that nothing was given for, which a person has to look at.
create table payments (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  purchase_id int8 not null,
  provider text not null check (provider in ('paystack', 'stripe')),
  reference text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount int8 not null check (amount > 0),
  state text not null check (state in ('created', 'action', 'pending', 'succeeded', 'failed', 'cancelled', 'review')),
  page_url text,
  session_ref text,
  provider_ref text,
  failure_code text,
  failure_text text,
  created_at timestamptz not null,
  closes_at timestamptz not null,
  settled_at timestamptz,
  -- When the sweep asks the payment provider next; null: no more.
  check_at timestamptz,
  -- When somebody last had it asked.
  asked_at timestamptz,
  primary key (company_id, id),
  unique (company_id, reference),
  foreign key (company_id, purchase_id) references purchases,
  check ((state = 'succeeded') = (settled_at is not null)),
  check (check_at is null or state not in ('succeeded', 'failed', 'review'))
);
create unique index payments_live on payments (company_id, purchase_id) where state in ('created', 'action', 'pending');
create unique index payments_paid on payments (company_id, purchase_id) where state = 'succeeded';
create index payments_to_check on payments (check_at) where check_at is not null;
call isolate('payments', 'select, insert, update', 'select');

-- Numbers without gaps: one series for each company, kind of document and year.
create table invoice_series (
  company_id int4 not null references companies,
  series text not null,
  last_number int4 not null check (last_number > 0),
  primary key (company_id, series)
);
call isolate('invoice_series', 'select, insert, update');

-- What was issued. Nobody may change or delete a row: a correction is another document.
create table invoices (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  kind text not null check (kind in ('invoice')),
  series text not null,
  number int4 not null check (number > 0),
  purchase_id int8 not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  net int8 not null,
  tax int8 not null,
  total int8 not null,
  taxes jsonb not null,
  lines jsonb not null,
  seller jsonb not null,
  buyer jsonb not null,
  -- The language and the zone that it is written in.
  locale text not null,
  zone text not null,
  issued_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, series, number),
  foreign key (company_id, purchase_id) references purchases,
  check (total = net + tax)
);
create unique index invoices_of_purchase on invoices (company_id, purchase_id) where kind = 'invoice';
create index invoices_recent on invoices (company_id, issued_at desc);
call isolate('invoices', 'select, insert');

-- A purchase of units is in the wallet once.
alter table wallet_entries add column purchase_id int8;
create unique index wallet_entries_bought on wallet_entries (company_id, purchase_id) where kind = 'bought';

-- The webhooks of payment providers, each once however often it is sent. Read and written as the login role only.
create table payment_events (
  provider text not null check (provider in ('paystack', 'stripe')),
  event_key text not null,
  name text not null,
  reference text,
  received_at timestamptz not null,
  primary key (provider, event_key)
);
create index payment_events_old on payment_events (received_at);
