-- compatible: yes
-- The queues that each server has in its memory, for the status page of any of them; null: a version that does not tell.
alter table nodes add column readings_waiting int4, add column calls_waiting int4;
