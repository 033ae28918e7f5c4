-- compatible: yes
-- Legs of a shipment change places in one statement: the sequence is to be unique at its end, not at each of its rows.
alter table shipment_legs drop constraint shipment_legs_company_id_shipment_id_sequence_key,
  add constraint shipment_legs_sequence unique (company_id, shipment_id, sequence) deferrable;
