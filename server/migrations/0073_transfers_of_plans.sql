-- How a plan is paid by transfer: its invoice is issued when the money is in, and names the period that begins then.
alter table payments add column transfer jsonb;
-- What a wallet has spent: written with each entry, so that no reading sums them up.
alter table wallets add column spent int8 not null default 0;
set local role pipeline;
update wallets w set spent = coalesce((
  select -sum(e.units) from wallet_entries e
  where e.company_id = w.company_id and e.wallet_id = w.id and e.kind = 'settled'), 0);
reset role;
