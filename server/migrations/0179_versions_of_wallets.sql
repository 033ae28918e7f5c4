-- compatible: yes
-- The number of changes of a wallet's settings: a change may name the one that it was made from.
alter table wallets add column version int4 not null default 1;
