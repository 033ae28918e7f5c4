-- compatible: yes
-- By how many milliseconds the clock of a server's machine is ahead of the database's. Null: not told.
alter table nodes add clock_ahead_ms int4;
