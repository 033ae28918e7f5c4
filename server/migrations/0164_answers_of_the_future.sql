-- compatible: yes
-- An answer of a device came before now, whatever its clock said: those that lie ahead, of before answers were bounded by their arrival, excused
-- a device from sending, and kept an interval from counting, for years.
grant delete on device_intervals to pipeline;
set local role pipeline;
update device_commands set acked_at = now() where acked_at > now();
delete from device_intervals i where valid_from > now() and exists (
  select from device_intervals later
  where later.company_id = i.company_id and later.device_id = i.device_id and later.valid_from > i.valid_from);
update device_intervals set valid_from = now() where valid_from > now();
reset role;
revoke delete on device_intervals from pipeline;
