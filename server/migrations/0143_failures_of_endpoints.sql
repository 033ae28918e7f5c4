-- compatible: yes
-- Attempts that failed since the last message arrived: one failure that lasts a day because nothing else was sent is no reason to tell anybody.
alter table webhook_endpoints add column failures int4 not null default 0;
