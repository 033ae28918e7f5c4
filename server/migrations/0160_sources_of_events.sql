-- compatible: yes
-- A supplier's document begins a shipment in the form, and a person saves it: no event of a shipment comes from a document.
alter table shipment_events drop constraint shipment_events_source_check,
  add constraint shipment_events_source_check check (source in ('person', 'geofence', 'device', 'job'));
