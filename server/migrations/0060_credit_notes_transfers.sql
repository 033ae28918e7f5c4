-- A payment that failed may be asked for again. closed is money that does not fit, and that a person has decided on. A transfer is paid
-- at the seller's bank, where the operator sees it.
alter table payments drop constraint payments_provider_check;
alter table payments drop constraint payments_state_check;
alter table payments drop constraint payments_check1;
alter table payments add constraint payments_provider_check check (provider in ('paystack', 'stripe', 'transfer'));
alter table payments add constraint payments_state_check
  check (state in ('created', 'sent', 'action', 'pending', 'succeeded', 'failed', 'cancelled', 'review', 'closed'));
alter table payments add constraint payments_check1 check (check_at is null or state not in ('succeeded', 'review', 'closed'));
-- Why the operator takes money that does not fit for what was due.
alter table payments add column accepted_reason text;
-- The payer's bank has taken it back to look at it.
alter table payments add column disputed_at timestamptz;
alter table payments add column dispute text check (dispute in ('open', 'won', 'lost'));
alter table payments add check ((dispute is null) = (disputed_at is null));
create index payments_by_provider_ref on payments (provider, provider_ref) where provider_ref is not null;

-- A credit note takes an invoice back, in whole or in part: its amounts are negative. An invoice that is paid by transfer is issued when
-- it is owed, and says where to pay.
alter table invoices drop constraint invoices_kind_check;
alter table invoices add constraint invoices_kind_check check (kind in ('invoice', 'credit_note'));
alter table invoices add column refers_to int8;
alter table invoices add column reason text;
alter table invoices add column transfer jsonb;
-- Why there is no tax: reverse_charge, or the reason of an exemption.
alter table invoices add column tax_note text;
alter table invoices add foreign key (company_id, refers_to) references invoices;
alter table invoices add check ((kind = 'credit_note') = (refers_to is not null) and (kind = 'credit_note') = (reason is not null));
alter table invoices add check (kind = 'invoice' or total < 0 and net <= 0 and tax <= 0);
create index invoices_credited on invoices (company_id, refers_to) where refers_to is not null;
alter table purchases add column tax_note text;

-- The PDF of an invoice, as it was first made.
create table invoice_files (
  company_id int4 not null references companies,
  invoice_id int8 not null,
  file_key text not null,
  sha256 bytea not null check (length(sha256) = 32),
  kept_at timestamptz not null,
  primary key (company_id, invoice_id),
  foreign key (company_id, invoice_id) references invoices
);
call isolate('invoice_files', 'select, insert');

-- Money that the operator saw at the bank, for a payment by transfer. What the payer kept back as a tax counts as paid.
create table bank_receipts (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  payment_id int8 not null,
  amount int8 not null check (amount > 0),
  withheld int8 not null default 0 check (withheld >= 0),
  certificate text,
  bank_reference text not null,
  -- Tells a line of a bank statement from every other one.
  line_key text,
  recorded_by text not null,
  recorded_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, payment_id) references payments,
  check (withheld = 0 or certificate is not null)
);
create unique index bank_receipts_lines on bank_receipts (company_id, line_key);
create index bank_receipts_of_payment on bank_receipts (company_id, payment_id);
call isolate('bank_receipts', 'select, insert', 'select');

-- Money that is given back. created: the provider was not asked, or did not answer; by_hand: the operator gives it back elsewhere.
create table refunds (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  payment_id int8 not null,
  -- Null where money did not fit, and nothing was invoiced for it.
  credit_note_id int8,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount int8 not null check (amount > 0),
  reason text not null,
  asked_by text not null,
  state text not null check (state in ('created', 'pending', 'succeeded', 'failed', 'attention', 'by_hand')),
  refund_ref text,
  failure_text text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, payment_id) references payments,
  foreign key (company_id, credit_note_id) references invoices,
  check ((state in ('succeeded', 'failed', 'by_hand')) = (ended_at is not null)),
  check (check_at is null or ended_at is null)
);
create index refunds_of_payment on refunds (company_id, payment_id);
create index refunds_to_check on refunds (check_at) where check_at is not null;
create index refunds_by_ref on refunds (refund_ref) where refund_ref is not null;
call isolate('refunds', 'select, insert, update', 'select');

-- The seller's bank account for each currency: where transfers go. Read and written as the login role only.
create table seller_banks (
  currency text primary key check (currency ~ '^[A-Z]{3}$'),
  holder text not null,
  bank text not null,
  account text not null,
  bic text,
  branch text,
  changed_at timestamptz not null
);

-- The tax number that the operator has looked up, which a reverse charge needs; and why a company pays no tax.
alter table billing_accounts add column verified_tax_number text;
alter table billing_accounts add column tax_exempt_reason text;
