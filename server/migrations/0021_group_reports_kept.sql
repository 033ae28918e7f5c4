-- Group reports lose their file, too, when its time of keeping is over; its hash stays.
alter table group_reports add column removed_at timestamptz;
alter table group_reports drop constraint group_reports_check;
alter table group_reports add constraint group_reports_ready check (state <> 'ready'
  or ((file_key is not null or removed_at is not null) and file_sha256 is not null));
create index group_reports_kept on group_reports (finished_at) where file_key is not null;
create policy road_all on group_reports to road using (true) with check (true);
grant select, update on group_reports to road;
