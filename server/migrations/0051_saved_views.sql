-- Filters, order and columns of a list, kept by a person under a name, for themselves or for all of the company.
create table saved_views (
  company_id int4 not null,
  id int8 generated always as identity,
  user_id int8 not null,
  screen text not null,
  name text not null,
  search jsonb not null,
  columns jsonb not null,
  is_shared boolean not null,
  created_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, user_id, screen, name),
  foreign key (company_id, user_id) references users
);
call isolate('saved_views', 'select, insert, update, delete');
