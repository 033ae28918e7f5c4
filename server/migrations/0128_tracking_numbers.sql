-- compatible: yes
-- The number by which a carrier or an agent follows a shipment; any text.
alter table shipments add column tracking_number text;

-- Vertically merged cells of a workbook are filled down where the person asks for it; others stay a fault.
alter table bulk_uploads add column fills_merged boolean not null default false;
