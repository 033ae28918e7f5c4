-- compatible: yes
-- The number of changes of a geofence or point of interest: a change may name the one that it was made from.
alter table geofences add column version int4 not null default 1;
alter table points_of_interest add column version int4 not null default 1;
