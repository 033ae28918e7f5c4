-- Areas somebody watches. `area` is {kind: 'circle', centre: {lat, lon}, radiusM} or {kind: 'polygon', points: [{lat, lon}, ...]},
-- degrees of WGS 84, already judged by domain/fences.ts.
create table geofences (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  colour text not null check (colour in ('red', 'green', 'orange', 'yellow', 'white')),
  area jsonb not null check (area ->> 'kind' in ('circle', 'polygon')),
  notify_in boolean not null,
  notify_out boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
create index geofences_name on geofences (company_id, lower(name));
call isolate('geofences', 'select, insert, update, delete', 'select');

-- Places that matter: a depot, a clinic. Degrees times 1e7.
create table points_of_interest (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  name text not null,
  lat_e7 int4 not null check (lat_e7 between -900000000 and 900000000),
  lon_e7 int4 not null check (lon_e7 between -1800000000 and 1800000000),
  radius_m int4 not null check (radius_m > 0),
  notify_in boolean not null,
  notify_out boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
create index points_of_interest_name on points_of_interest (company_id, lower(name));
call isolate('points_of_interest', 'select, insert, update, delete', 'select');
