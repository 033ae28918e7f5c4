-- Default limits of a group, given to its devices when somebody says so; hundredths. All null with has_limits: limits of none.
alter table groups
  add column has_limits boolean not null default false,
  add column temperature_min_centi int2,
  add column temperature_max_centi int2,
  add column humidity_min_centi int2,
  add column humidity_max_centi int2,
  add column created_by int8;
