-- compatible: yes
-- A step of winding is one server's: two may have a job of the same sandbox.
alter table sandbox_clocks
  -- The run of the job that is within a step; null: none is.
  add column stepped_by uuid,
  -- Until when it holds the clock, by the clock of the database: one that was killed holds it no longer.
  add column stepped_until timestamptz,
  add check ((stepped_by is null) = (stepped_until is null));
