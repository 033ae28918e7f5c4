-- compatible: yes
-- The number of the trade item that is shipped, and those of GS1 and IMO that stand though their check digit is wrong.
alter table shipments
  add column gtin text check (gtin ~ '^[0-9]{14}$'),
  add column gtin_unchecked boolean not null default false;
alter table shipment_legs add column imo_unchecked boolean not null default false;
alter table shipment_devices add column sscc_unchecked boolean not null default false;
