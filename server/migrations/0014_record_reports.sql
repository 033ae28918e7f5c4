-- A report may be of a record instead of a device: device_name is then the record's name, imeis those of all its devices.
alter table device_reports
  alter column device_id drop not null,
  add column record_id int8,
  add foreign key (company_id, record_id) references records,
  add check (num_nonnulls(device_id, record_id) = 1);
create index device_reports_of_record on device_reports (company_id, record_id, created_at desc) where record_id is not null;
