-- The day of an entry, by the clock of the company when it was made: a company that moves to another zone keeps its past.
alter table wallet_entries add column day date;
alter table companies no force row level security;
alter table wallet_entries no force row level security;
update wallet_entries e set day = (e.at at time zone c.timezone)::date from companies c where c.company_id = e.company_id;

-- Units of a wallet by day and alarm (0: of none), written with each entry that changes the balance: a period is summed up from its days,
-- however many entries they have. entries: how many there are.
create table wallet_days (
  company_id int4 not null,
  wallet_id int8 not null,
  day date not null,
  alarm_id int8 not null,
  used int8 not null default 0,
  bought int8 not null default 0,
  entries int4 not null default 0,
  primary key (company_id, wallet_id, day, alarm_id),
  foreign key (company_id, wallet_id) references wallets
);
insert into wallet_days (company_id, wallet_id, day, alarm_id, used, bought, entries)
select company_id, wallet_id, day, coalesce(alarm_id, 0), coalesce(-sum(units) filter (where kind = 'settled'), 0),
  coalesce(sum(units) filter (where kind in ('bought', 'granted')), 0), count(*)
from wallet_entries where kind not in ('reserved', 'returned') group by 1, 2, 3, 4;
call isolate('wallet_days', 'select, insert, update', 'select, insert, update');

alter table companies force row level security;
alter table wallet_entries force row level security;
alter table wallet_entries alter column day set not null;
-- Those that the history shows.
create index wallet_entries_shown on wallet_entries (company_id, wallet_id, day desc, at desc, id desc)
  where kind not in ('reserved', 'returned');
drop index wallet_entries_recent;
