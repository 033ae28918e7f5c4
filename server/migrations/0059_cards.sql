-- What a provider calls a company that a card was kept for: its next page has that payer.
create table provider_customers (
  company_id int4 not null references companies,
  provider text not null check (provider in ('paystack', 'stripe')),
  customer_ref text not null,
  primary key (company_id, provider)
);
call isolate('provider_customers', 'select, insert, update, delete');

-- Cards that may be charged without the payer. The provider has the card; here is what names it there, sealed with the installation's
-- secret, and what a payer knows it by. A removed card has no token once its provider was told.
create table cards (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  provider text not null check (provider in ('paystack', 'stripe')),
  token_sealed bytea,
  -- The mail address that it was first paid with, by which its provider knows it.
  email text not null,
  fingerprint text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month int2 not null check (exp_month between 1 and 12),
  exp_year int2 not null,
  bank text,
  state text not null check (state in ('active', 'unusable', 'removed')),
  -- The provider's words on why it is unusable.
  reason text,
  is_default boolean not null default false,
  created_at timestamptz not null,
  primary key (company_id, id),
  check (state = 'active' or not is_default)
);
create unique index cards_known on cards (company_id, provider, fingerprint, email) where state <> 'removed';
create unique index cards_default on cards (company_id) where is_default;
call isolate('cards', 'select, insert, update');

-- A page where a card is kept without a payment. The card is kept once, by the session.
create table card_pages (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  provider text not null check (provider in ('paystack', 'stripe')),
  reference text not null,
  session_ref text,
  page_url text,
  card_id int8,
  asked_by int8 not null,
  created_at timestamptz not null,
  closes_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, reference),
  foreign key (company_id, card_id) references cards
);
call isolate('card_pages', 'select, insert, update');

-- The card that pays it, or that was kept when it was paid. A charge is sent from when its provider was told to charge: until it
-- answers for the reference nobody knows whether money moved.
alter table payments add column card_id int8;
alter table payments add foreign key (company_id, card_id) references cards;
-- Whether the payer wants the card to be kept.
alter table payments add column keeps_card boolean not null default false;
alter table payments add column sent_at timestamptz;
-- What may be done after it failed.
alter table payments add column failure_next text check (failure_next in ('retry', 'after-a-day', 'another-card', 'payer', 'desk'));
alter table payments drop constraint payments_state_check;
alter table payments add constraint payments_state_check
  check (state in ('created', 'sent', 'action', 'pending', 'succeeded', 'failed', 'cancelled', 'review'));
alter table payments add constraint payments_sent_check check (state <> 'sent' or (card_id is not null and sent_at is not null));
drop index payments_live;
create unique index payments_live on payments (company_id, purchase_id) where state in ('created', 'sent', 'action', 'pending');
create index payments_of_card on payments (company_id, card_id) where card_id is not null;

alter table subscriptions add foreign key (company_id, card_id) references cards;

-- Units that are bought by themselves when few are left: so many, by this card, for at most so much money a month.
alter table wallets add column topup_below int4 check (topup_below between 1 and 1000000);
alter table wallets add column topup_units int4 check (topup_units between 1 and 100000);
alter table wallets add column topup_card_id int8;
alter table wallets add column topup_monthly_max int8 check (topup_monthly_max > 0);
alter table wallets add foreign key (company_id, topup_card_id) references cards;
alter table wallets add constraint wallets_topup_check check ((topup_below is null) = (topup_units is null) and (topup_below is null) = (topup_card_id is null)
  and (topup_below is null) = (topup_monthly_max is null));
alter table purchases add column is_topup boolean not null default false;
alter table purchases add constraint purchases_topup_check check (not is_topup or purpose = 'units');
-- One at a time for each wallet, whatever a storm of messages asks for.
create unique index purchases_topup on purchases (company_id, unit_kind) where is_topup and paid_at is null and voided_at is null;

-- The answers of calls that carry a key: the same call again gets the same answer, and does nothing. Without an answer it is being worked on.
create table idempotency_keys (
  company_id int4 not null references companies,
  user_id int8 not null,
  key_hash bytea not null,
  call text not null,
  fingerprint bytea not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (company_id, user_id, key_hash)
);
create index idempotency_keys_old on idempotency_keys (created_at);
call isolate('idempotency_keys', 'select, insert, update, delete', 'select, delete');
