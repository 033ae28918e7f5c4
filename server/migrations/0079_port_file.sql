-- Which file of ports was loaded last, by its hash: a start of a server with the same file has nothing to do.
create table port_file (
  is_one boolean primary key default true check (is_one),
  sha256 bytea not null,
  loaded_at timestamptz not null
);
