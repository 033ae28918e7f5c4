-- Who gets a report that somebody asked for by mail: null is the person who asked, as before; nobody where it is downloaded.
-- mailed_to: who has got it. with_readings: whether its PDF and XLSX list every reading.
alter table device_reports add column recipients int8[], add column mailed_to int8[] not null default '{}',
  add column with_readings boolean not null default true;
alter table group_reports add column recipients int8[], add column mailed_to int8[] not null default '{}';
