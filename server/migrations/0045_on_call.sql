-- A rota: people take turns, a week each. weekday (1 is Monday) and time are the hand-over, by the clocks of the company's zone;
-- the first person begins on starts_on.
create table rotas (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  weekday int2 not null check (weekday between 1 and 7),
  time text not null,
  starts_on date not null,
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (company_id, id)
);
create unique index rotas_name on rotas (company_id, lower(name)) where archived_at is null;
call isolate('rotas', 'select, insert, update', 'select');

create table rota_people (
  company_id int4 not null,
  rota_id int8 not null,
  place int2 not null,
  user_id int8 not null,
  primary key (company_id, rota_id, place),
  foreign key (company_id, rota_id) references rotas,
  foreign key (company_id, user_id) references users
);
call isolate('rota_people', 'select, insert, delete', 'select');

-- One person stands in for another, whenever it is the other's turn in that time.
create table rota_overrides (
  company_id int4 not null,
  id int8 generated always as identity,
  rota_id int8 not null,
  user_id int8 not null,
  instead_of int8 not null,
  from_at timestamptz not null,
  to_at timestamptz not null check (to_at > from_at),
  primary key (company_id, id),
  foreign key (company_id, rota_id) references rotas,
  foreign key (company_id, user_id) references users,
  foreign key (company_id, instead_of) references users
);
create index rota_overrides_of on rota_overrides (company_id, rota_id, id);
call isolate('rota_overrides', 'select, insert, delete', 'select');

-- A recipient is a person, an address or a rota.
alter table alarm_recipients add column rota_id int8;
alter table alarm_recipients add foreign key (company_id, rota_id) references rotas;
alter table alarm_recipients drop constraint alarm_recipients_check;
alter table alarm_recipients add constraint alarm_recipients_check check (num_nonnulls(user_id, address, rota_id) = 1);
alter table alarm_recipients drop constraint alarm_recipients_company_id_alarm_id_tier_user_id_address_key;
alter table alarm_recipients add constraint alarm_recipients_once
  unique nulls not distinct (company_id, alarm_id, tier, user_id, address, rota_id);

-- Notes of one on call for the next.
create table hand_over_notes (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  text text not null,
  at timestamptz not null,
  by_id int8 not null,
  by_name text not null,
  read_at timestamptz,
  read_by_name text,
  primary key (company_id, id)
);
call isolate('hand_over_notes', 'select, insert, update, delete');
