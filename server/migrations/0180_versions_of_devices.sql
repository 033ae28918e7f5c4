-- compatible: yes
-- The number of changes of what people set of a device, its limits among them: a change may name the one that it was made from.
alter table devices add column version int4 not null default 1;
