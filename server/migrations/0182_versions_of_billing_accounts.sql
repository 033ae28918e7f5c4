-- compatible: yes
-- The number of changes of a company's invoice details: a change may name the one that it was made from.
alter table billing_accounts add column version int4 not null default 1;
