-- compatible: yes
-- The number of an origin or a destination by GS1, which perhaps stands though its check digit is wrong. gln of ports: a company's own list,
-- contract/src/export-settings.ts PortGln.
alter table shipment_places
  add column gln text check (gln ~ '^[0-9]{13}$'),
  add column gln_unchecked boolean not null default false;
alter table export_settings add column port_glns jsonb not null default '[]' check (jsonb_typeof(port_glns) = 'array');
