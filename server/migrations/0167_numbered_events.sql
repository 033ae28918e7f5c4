-- compatible: yes
-- When an event got its number, by the clock of the installation: events of a sandbox carry the instant of its clock, which may stand weeks back.
-- Null: it has no number yet, or got it before this column was there.
alter table company_events add column numbered_at timestamptz;
