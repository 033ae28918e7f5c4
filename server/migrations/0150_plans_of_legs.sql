-- compatible: yes
-- The departure and arrival that a leg was planned for; etd and eta are what is expected by the last edit. Legs of before have their last one.
alter table shipment_legs add column planned_etd timestamptz, add column planned_eta timestamptz;
set local role pipeline;
update shipment_legs set planned_etd = etd, planned_eta = eta where etd is not null or eta is not null;
reset role;
