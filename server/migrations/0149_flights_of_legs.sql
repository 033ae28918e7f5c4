-- compatible: yes
-- The leg of a shipment that a flight was planned for; null: somebody planned or switched it by hand.
alter table flight_modes add column leg_id bigint;
