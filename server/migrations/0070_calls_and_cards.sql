-- The key that the call came with which began it: the same call again, after a server that was cut off, goes on with it.
alter table payments add column call_key bytea;
create index payments_of_call on payments (company_id, call_key) where call_key is not null;

-- What jobs and events of providers look for, of all companies.
create index payments_recent on payments (created_at);
create index payments_by_reference on payments (reference);
create index wallets_topped_up on wallets (company_id, id) where topup_below is not null;

-- That the card ends with its month was said.
alter table cards add column end_told_at timestamptz;
create policy pipeline_all on cards to pipeline using (true) with check (true);
grant select (company_id, id, state, exp_month, exp_year, end_told_at) on cards to pipeline;
