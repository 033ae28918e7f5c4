-- compatible: yes
-- The clock of a sandbox stands until somebody winds it (ADR 0073). It is always in the past: no instant is ever ahead of the real time.
create table sandbox_clocks (
  company_id int4 primary key references companies,
  began_at timestamptz not null,
  at timestamptz not null,
  -- The instant that it is being wound to; null: it stands.
  winds_to timestamptz,
  check (at >= began_at),
  check (winds_to >= at)
);
call isolate('sandbox_clocks', 'select, insert, update', 'select, update');

-- What happens to the simulated devices of a sandbox, from when on.
create table sandbox_scenarios (
  company_id int4 not null references sandbox_clocks,
  id int8 generated always as identity,
  kind text not null check (kind in ('doorOpen', 'powerCut', 'freezerFails', 'vanRoute')),
  began_at timestamptz not null,
  primary key (company_id, id)
);
call isolate('sandbox_scenarios', 'select, insert', 'select');

-- A sandbox has one sample device of each type; other companies have one, whose type is always the same.
create unique index devices_samples on devices (company_id, type) where sample_until is not null;
drop index devices_sample;
