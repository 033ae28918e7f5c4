-- compatible: yes
-- The number of changes of what people set: a change may name the one that it was made from.
alter table alarms add column version int4 not null default 1;
alter table reports add column version int4 not null default 1;
alter table groups add column version int4 not null default 1;
alter table role_permissions add column version int4 not null default 1;
alter table companies add column version int4 not null default 1;
