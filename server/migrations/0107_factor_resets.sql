-- When the provider took somebody's second factor away, until they were told by mail: its desk runs beside the server, or without one.
alter table identities add column factor_reset_at timestamptz;
create index identities_to_tell on identities (factor_reset_at) where factor_reset_at is not null;
