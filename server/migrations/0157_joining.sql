-- compatible: yes
-- When a device joined a shipment under way, and its record; null: it was there from the start. left_at: when it was taken off under way;
-- null: it is there until the end. Where a device measured before it joined, it measured something else.
alter table shipment_devices add column joined_at timestamptz, add column left_at timestamptz, add check (left_at > joined_at);
alter table record_devices add column joined_at timestamptz, add column left_at timestamptz, add check (left_at > joined_at);
grant update (joined_at, left_at) on record_devices to app, pipeline;
create policy for_0157 on record_signatures for select to pipeline using (true);
grant select on record_signatures to pipeline;

set local role pipeline;
-- A start may be told late, and moved: those devices joined that were added after somebody told of it, for the last time.
update shipment_devices x set joined_at = e.at
from (
  select e.company_id, e.shipment_id, e.device_id, max(e.occurred_at) as at
  from shipments s
  cross join lateral (select max(b.id) as id from shipment_events b
    where b.company_id = s.company_id and b.shipment_id = s.id and b.kind = 'started') b
  join shipment_events e on e.company_id = s.company_id and e.shipment_id = s.id and e.kind = 'deviceAdded' and e.id > b.id
  where s.started_at is not null group by 1, 2, 3) e
where x.company_id = e.company_id and x.shipment_id = e.shipment_id and x.device_id = e.device_id;
-- A signed record tells what its signers saw.
update record_devices m set joined_at = x.joined_at
from shipment_devices x join shipments s on s.company_id = x.company_id and s.id = x.shipment_id
where x.joined_at is not null and m.company_id = s.company_id and m.record_id = s.record_id and m.device_id = x.device_id
  and not exists (select from record_signatures g where g.company_id = m.company_id and g.record_id = m.record_id);
-- The first device of a shipment that started without one began its record as it joined: it begins with the shipment.
update records r set start_at = s.started_at
from shipments s
where s.company_id = r.company_id and s.record_id = r.id and r.start_at > s.started_at
  and exists (select from record_devices m where m.company_id = r.company_id and m.record_id = r.id)
  and not exists (select from record_devices m where m.company_id = r.company_id and m.record_id = r.id and m.joined_at is null)
  and not exists (select from record_signatures g where g.company_id = r.company_id and g.record_id = r.id);
reset role;
revoke update (joined_at, left_at) on record_devices from pipeline;
revoke select on record_signatures from pipeline;
drop policy for_0157 on record_signatures;
