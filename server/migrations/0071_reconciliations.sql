-- Up to when the nightly look at what a payment provider says was paid has gone through to its end.
create table reconciliations (
  provider text primary key,
  done_at timestamptz not null
);
