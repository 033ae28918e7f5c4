-- The receipt of a hand-over, as it was made once.
alter table handovers add receipt_key text, add receipt_sha256 bytea,
  add check ((receipt_key is null) = (receipt_sha256 is null));

-- For the sweep that compares them with readings that came later.
create index handovers_newest on handovers (recorded_at) where void_at is null;
