-- compatible: yes
-- A shipment may have several products. The first one stays in the shipment's own columns; the others, in their sequence, are a list of
-- contract/src/shipment-products.ts FurtherProduct.
alter table shipments
  add column quantity float8 check (quantity > 0),
  add column quantity_unit text check (quantity_unit in ('piece', 'carton', 'crate', 'bag', 'kg', 't', 'l')),
  add column further_products jsonb not null default '[]' check (jsonb_typeof(further_products) = 'array'),
  add check (quantity is null or quantity_unit is not null);
