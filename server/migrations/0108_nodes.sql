-- The servers of an installation, and its lanes.

-- How many lanes there are: every server must agree, because a lane alone writes its devices.
create table lane_count (
  is_only boolean primary key default true check (is_only),
  lanes int4 not null check (lanes between 1 and 256)
);
grant select, insert, update on lane_count to pipeline;

-- The servers that run. Each notes a sign of life every second, in the clock of the database.
create table nodes (
  id uuid primary key,
  name text not null,
  -- Where the others reach it: host:port.
  address text not null,
  version text not null,
  -- The same on all that have the same secret of the installation.
  secret_mark text not null,
  started_at timestamptz not null,
  beat_at timestamptz not null,
  is_draining boolean not null,
  -- The lanes that it holds.
  held int4[] not null
);
grant select, insert, update, delete on nodes to pipeline;
