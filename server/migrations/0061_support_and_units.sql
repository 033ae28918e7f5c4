-- What people ask of the provider: help, a suggestion, more of a module (category names it), or something of the store.
create table support_requests (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  kind text not null check (kind in ('support', 'suggestion', 'feature', 'purchase')),
  -- Of a purchase the name of the thing, as it was then; of a feature empty.
  title text not null,
  description text not null,
  category text,
  urgency text check (urgency in ('low', 'normal', 'high')),
  item_code text,
  quantity int4 check (quantity > 0),
  state text not null default 'open' check (state in ('open', 'answered', 'closed')),
  asked_by int8 not null,
  created_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, asked_by) references users,
  check ((kind in ('support', 'suggestion')) = (urgency is not null)),
  check ((kind = 'purchase') = (item_code is not null and quantity is not null)),
  check ((kind = 'purchase') = (category is null))
);
create unique index support_requests_open_wish on support_requests (company_id, category) where kind = 'feature' and state = 'open';
create index support_requests_recent on support_requests (company_id, created_at desc);
call isolate('support_requests', 'select, insert, update', 'select');

create table support_answers (
  company_id int4 not null,
  id int8 generated always as identity,
  request_id int8 not null,
  text text not null,
  at timestamptz not null,
  -- When who asked was told.
  told_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, request_id) references support_requests
);
create index support_answers_of_request on support_answers (company_id, request_id, id);
create index support_answers_untold on support_answers (id) where told_at is null;
call isolate('support_answers', 'select, insert', 'select, update');

-- The contract has the list of kinds.
alter table notifications drop constraint notifications_kind_check;

-- What the provider sells beside plans and units: no company's, read and written as the login role only. Amounts are net minor units.
create table store_items (
  code text primary key check (code ~ '^[a-z0-9-]{1,40}$'),
  name text not null,
  text text not null,
  changed_at timestamptz not null
);
create table store_prices (
  code text not null references store_items on delete cascade,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount int8 not null check (amount between 0 and 1000000000000),
  primary key (code, currency)
);

-- Null: messages to that country are not sent.
alter table unit_weights alter column weight drop not null;
grant select on unit_weights to pipeline;
-- The units that each segment costs, as decided when they were reserved; units has the product.
alter table deliveries add column weight int4 not null default 1 check (weight > 0);

-- Units a day (UTC) and wallet that critical alarms may use beyond what there is. One row.
create table unit_settings (
  is_settings boolean primary key default true check (is_settings),
  overdraft_units int4 not null check (overdraft_units between 0 and 10000)
);
insert into unit_settings (overdraft_units) values (20);
grant select on unit_settings to pipeline;

-- The overdraft of this company; null: that of unit_settings. overdrawn: what was taken by it and no units that came in since have repaid,
-- so balance - reserved is below zero by that at most. overdrawn_on, overdrawn_that_day: the last day of it.
alter table wallets add column overdraft_units int4 check (overdraft_units between 0 and 10000);
alter table wallets add column overdrawn int4 not null default 0 check (overdrawn >= 0);
alter table wallets add column overdrawn_on date;
alter table wallets add column overdrawn_that_day int4 not null default 0 check (overdrawn_that_day >= 0);
alter table wallets drop constraint wallets_balance_check;
alter table wallets drop constraint wallets_check;
alter table wallets add constraint wallets_reserved_check check (reserved >= 0);
alter table wallets add constraint wallets_covered_check check (balance - reserved >= -overdrawn);
